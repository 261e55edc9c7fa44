import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import type { Machine } from "../clients/machine.ts";

const MOST_MS = 3_000;
const MAX_BYTES = 2 ** 20;

/** What git printed, without the last line break; undefined if there is no git, it failed, or it took more than three seconds. */
export function git({ env }: Machine, folder: string, args: readonly string[]): string | undefined {
  // Variables such as GIT_DIR would lead to another repository.
  const own = Object.entries(env).filter(([name]) => !/^GIT_/i.test(name));
  const { status, stdout } = spawnSync("git", ["-C", folder, "-c", "core.fsmonitor=false", ...args], {
    // On Windows a program of that name in the current folder would run, and that may be a stranger's.
    cwd: dirname(process.execPath),
    env: { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" },
    encoding: "utf8",
    timeout: MOST_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  });
  return status === 0 ? stdout.replace(/\r?\n$/, "") : undefined;
}
