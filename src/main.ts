import { homedir } from "node:os";
import { run } from "./cli/run.ts";
import { systemClock } from "./core/lib/clock.ts";
import { errorCode, reasonOf } from "./core/storage/fs-errors.ts";

/** A reader may stop early (`| head`); a full disk is a failure. */
function onOutputError(error: Error): void {
  if (["EPIPE", "EOF"].includes(errorCode(error))) return;
  process.stderr.write(`vibe-mcp: could not write the output: ${reasonOf(error)}\n`);
  process.exit(1);
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

// stdout belongs to the protocol, so libraries print to stderr.
const { error: toStderr } = globalThis.console;
Object.assign(globalThis.console, { log: toStderr, info: toStderr, debug: toStderr, dir: toStderr });
process.on("unhandledRejection", (reason) => {
  process.stderr.write(`vibe-mcp error: ${reason instanceof Error ? reason.stack : String(reason)}\n`);
});
process.stdout.on("error", onOutputError);

const [, script = "", ...argv] = process.argv;
const { platform, env, ppid, execPath, cwd } = process;
const about = { platform, env, ppid, execPath, cwd, script, home: homedir() };
void run(argv, { ...about, terminal: process, clock: systemClock, stop: stopSignal }).then(async (code) => {
  await drain(process.stdout);
  process.exit(code);
});

/** Waits until all output is written: on Windows, pipes are written in the background. */
async function drain(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    // An error of the last write is emitted a turn later.
    if (stream.destroyed || !stream.writable) return void setImmediate(resolve);
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
