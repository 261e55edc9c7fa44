import { execFile, spawnSync } from "node:child_process";
import { dirname } from "node:path";
import type { Machine } from "../clients/machine.ts";
import { SAFE_OPTIONS, safeVariables } from "../git/safe-settings.ts";
import type { Git } from "../workspace/branches.ts";

const MOST_MS = 3_000;
/** A call of a tool waits for it. */
const MOST_MS_IN_A_CALL = 1_000;
const MAX_BYTES = 16 * 2 ** 20;

/** What git printed, without the last line break; undefined if there is no git, it failed, or it took more than three seconds. */
export function git(
  machine: Pick<Machine, "env">,
  folder: string,
  args: readonly string[],
): string | undefined {
  const options = { ...optionsFor(machine), timeout: MOST_MS };
  const { status, stdout } = spawnSync("git", argumentsFor(folder, args), options);
  return status === 0 ? withoutBreak(stdout) : undefined;
}

/** Runs git for calls of tools: it blocks no others, and takes at most a second. */
export function gitRunner(machine: Pick<Machine, "env">): Git {
  return (folder, args, input = "") =>
    new Promise((resolve) => {
      const options = { ...optionsFor(machine), timeout: MOST_MS_IN_A_CALL };
      const child = execFile("git", argumentsFor(folder, args), options, (error, stdout) =>
        resolve(error === null ? withoutBreak(stdout) : undefined),
      );
      child.stdin?.on("error", () => {}); // It may have ended already.
      child.stdin?.end(input);
    });
}

function argumentsFor(folder: string, args: readonly string[]): string[] {
  return ["-C", folder, ...SAFE_OPTIONS, ...args];
}

function optionsFor({ env }: Pick<Machine, "env">) {
  // Variables such as GIT_DIR would lead to another repository.
  const own = Object.entries(env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    // On Windows a program of that name in the current folder would run, and that may be a stranger's.
    cwd: dirname(process.execPath),
    env: { ...Object.fromEntries(own), ...safeVariables([]) },
    encoding: "utf8",
    killSignal: "SIGKILL",
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  } as const;
}

function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}
