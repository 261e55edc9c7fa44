import { spawn } from "node:child_process";
import { once } from "node:events";
import type { CommandContext } from "./command.ts";

/** Exit codes of a shell that found no program, or one that it may not run. */
const NOT_STARTED = [126, 127];

/** Shows a text on a terminal, through PAGER or else `less` if it is longer than the screen. */
export async function page(context: CommandContext, text: string): Promise<void> {
  const { stdout } = context.terminal;
  const isLong = text.split("\n").length > (stdout.rows || Number.POSITIVE_INFINITY);
  if (!isLong || !(await runPager(context, text))) stdout.write(text);
}

/** Whether a pager ran. */
async function runPager({ machine, options, stop }: CommandContext, text: string): Promise<boolean> {
  const { env, platform } = machine;
  const chosen = env["PAGER"]?.trim();
  // On a dumb terminal, `less` asks before it shows anything.
  const pager = chosen ?? (env["TERM"] === "dumb" ? "" : "less");
  if (pager === "" || pager === "cat" || options.has("no-pager")) return false;
  ignoreSignals(stop);
  // As git sets it: `less` shows colours, and leaves the text on the screen.
  const settings = { LESS: "FRX", ...env };
  const child = spawn(pager, {
    shell: chosen !== undefined,
    stdio: ["pipe", "inherit", "inherit"],
    env: settings,
  });
  // Nobody has to read to the end.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  try {
    const [code] = await once(child, "close");
    return !NOT_STARTED.includes(code) && (code === 0 || platform !== "win32");
  } catch {
    return false; // There is no such program.
  }
}

/** Ctrl+C is for the program that runs in the terminal. */
export function ignoreSignals(stop: CommandContext["stop"]): void {
  stop().addEventListener("abort", () => ignoreSignals(stop));
}
