import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { dirname } from "node:path";
import type { TestContext } from "node:test";
import { builtFile } from "../fixtures/built.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

/** Users and groups need no entry in /etc/passwd. */
export const ALICE = 60_001;
export const BOB = 60_002;
export const TEAM = 60_100;

export interface Member {
  uid: number;
  /** Whether the user belongs to the team. */
  inTeam?: boolean;
  umask?: string;
}

/** Why other users cannot be used here; false if they can. */
export function noUsers(): string | false {
  if (process.getuid?.() !== 0) return "needs root, to act for several users";
  return spawnSync("setpriv", ["--version"]).status === 0 ? false : "needs setpriv";
}

/** A workspace whose root belongs to alice and the team: what is made in it belongs to the team, too. */
export function teamRoot(t: TestContext): string {
  const root = makeWorkspace(t, {});
  chownSync(root, ALICE, TEAM);
  chmodSync(root, 0o2775);
  return root;
}

/** The built program, run by another user. */
export function programFor(t: TestContext, root: string) {
  const program = builtFile(t);
  chmodSync(dirname(program), 0o755);
  return ({ uid, inTeam = true, umask = "022" }: Member, ...args: string[]): SpawnSyncReturns<string> => {
    const groups = inTeam ? ["--groups", String(TEAM)] : ["--clear-groups"];
    const user = [`--reuid=${uid}`, `--regid=${uid}`, ...groups];
    const command = [
      "sh",
      "-c",
      `umask ${umask} && exec "$@"`,
      "sh",
      process.execPath,
      program,
      ...args,
      "--root",
      root,
    ];
    return spawnSync("setpriv", [...user, ...command], {
      encoding: "utf8",
      cwd: "/",
      env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
    });
  };
}
