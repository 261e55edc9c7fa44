import type { SpawnSyncReturns } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Person, person } from "../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

export interface Newcomer extends Person {
  home: string;
  /** A folder that is neither the home nor the repository. */
  outside: string;
  run: (...args: string[]) => SpawnSyncReturns<string>;
}

/** A user with their own home, who runs the built program in a repository from somewhere else. */
export function newcomer(t: TestContext): Newcomer {
  const someone = person(t);
  const [home, outside] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(someone.cwd, { ".git/HEAD": "", ".git/config": "[core]\n" });
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, ".config"), XDG_CONFIG_HOME: "" };
  return { ...someone, home, outside, run: (...args) => someone.inPipe(args, { env }) };
}

/** Everything in a folder, without following links: shows whether it is untouched. */
export function contentOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(names.map((name) => [name, describe(join(folder, name))]));
}

function describe(file: string): string {
  const stats = lstatSync(file);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(file)}`;
  return stats.isFile() ? readFileSync(file, "utf8") : "no file";
}
