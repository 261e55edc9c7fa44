import { homedir } from "node:os";
import { relative, sep } from "node:path";
import type { Machine } from "./clients/machine.ts";
import type { CommandContext, Terminal } from "./commands/command.ts";
import { asTyped, explain } from "./commands/failure.ts";
import { commandHelp, overview } from "./commands/help.ts";
import { asJson, printable, quoted } from "./commands/paint.ts";
import { type CommandLine, parseCommandLine } from "./commands/parse.ts";
import { COMMANDS } from "./commands/table.ts";
import { type Config, type Flags, OPTIONS, resolveConfig, UsageError } from "./config.ts";
import { errorCode, reasonOf } from "./files/errors.ts";
import { isNoFolder } from "./files/folders.ts";
import { realPath } from "./files/upwards.ts";
import { systemClock } from "./lib/clock.ts";
import { UserError } from "./lib/errors.ts";
import { createLog } from "./lib/log.ts";
import { VERSION } from "./version.ts";

/** Runs the command line; answers the exit code. */
async function main(argv: string[]): Promise<number> {
  let program = "vibe-mcp";
  try {
    program = typed();
    const line = parseCommandLine(argv, COMMANDS);
    program = typed(line.settings);
    const { command, help, version } = line;
    if (version) return say(`${VERSION}\n`);
    if (help) return say(command === undefined ? overview(COMMANDS, VERSION) : commandHelp(command));
    const context = createContext(line, program);
    if (!command?.anyRoot) checkRoots(context.config);
    if (command !== undefined) return await command.run(context);
    const { serveOnStdio } = await import("./commands/serve-stdio.ts");
    return await serveOnStdio(context);
  } catch (error) {
    return fail(error, { json: argv.includes("--json"), program });
  }
}

function createContext({ settings, options, words }: CommandLine, program: string): CommandContext {
  const config = resolveConfig(settings, process.env, homedir());
  return {
    config,
    http: async () => {
      const { resolveHttpConfig } = await import("./http-config.ts");
      return resolveHttpConfig(settings, process.env, homedir());
    },
    machine,
    version: VERSION,
    program,
    folder: currentFolder(),
    words,
    options,
    clock: systemClock,
    log: createLog(config.logLevel, (line) => process.stderr.write(line), config.logFormat),
    terminal: createTerminal(),
    stop: stopSignal,
  };
}

function machine(): Machine {
  return {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    folder: currentFolder(),
    node: process.execPath,
    script: realPath(process.argv[1] ?? ""),
    npx: process.env["npm_command"] === "exec",
  };
}

function checkRoots({ root, vault }: Config): void {
  for (const [option, folder] of [
    [OPTIONS.root, root],
    [OPTIONS.vault, vault],
  ] as const) {
    if (folder === undefined || !isNoFolder(folder)) continue;
    throw new UsageError(`--${option.flag} (${option.variable}) takes a folder, and ${folder} is none`);
  }
}

/** Each stream is opened when it is first used: that takes as long as all the rest of a start. */
function createTerminal(): Terminal {
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return output();
    },
    get stderr() {
      return process.stderr;
    },
    get colors() {
      return output().isTTY === true && output().hasColors();
    },
  };
}

function output(): NodeJS.WriteStream {
  const { stdout } = process;
  if (stdout.listenerCount("error") === 0) stdout.on("error", outputLost);
  return stdout;
}

/** Whoever reads may stop early (`| head`); what a full disk did not take is a failure. */
function outputLost(error: Error): void {
  if (["EPIPE", "EOF"].includes(errorCode(error))) return;
  process.stderr.write(`vibe-mcp: the output could not be written: ${reasonOf(error)}\n`);
  process.exit(1);
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError("the folder that this runs in does not exist any more: change to another one");
  }
}

/** What a person types to start this program again, on the root that was named. */
function typed({ root }: Flags = {}): string {
  const at = typeof root === "string" ? ` --root ${quoted(root)}` : "";
  if (process.env["npm_command"] === "exec") return `npx vibe-mcp${at}`;
  const script = process.argv[1] ?? "";
  if (!script.endsWith("js")) return `vibe-mcp${at}`;
  return `node ${quoted(relative(currentFolder(), script).replaceAll(sep, "/"))}${at}`;
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

function say(message: string): number {
  output().write(message);
  return 0;
}

/** A script that asked for JSON gets the failure as the tools give it; a person reads one line on stderr either way. */
function fail(error: unknown, { json, program }: { json: boolean; program: string }): number {
  if (error instanceof UserError || error instanceof UsageError) {
    const isUsage = error instanceof UsageError;
    const { code, message, details } = isUsage ? new UserError("INVALID_ARGUMENT", error.message) : error;
    if (json) output().write(asJson({ success: false, error: { code, message, details } }));
    const text = isUsage ? asTyped(message, program) : explain(error, program);
    process.stderr.write(`vibe-mcp: ${printable(text)}\n`);
    return isUsage ? 2 : 1;
  }
  process.stderr.write(
    `vibe-mcp: unexpected error\n${printable(`${error instanceof Error ? error.stack : error}`)}\n`,
  );
  return 1;
}

// stdout belongs to the protocol: whatever a library prints goes to stderr.
const { error: toStderr } = globalThis.console;
Object.assign(globalThis.console, { log: toStderr, info: toStderr, debug: toStderr, dir: toStderr });
process.on("unhandledRejection", (reason) => {
  process.stderr.write(`vibe-mcp error: ${reason instanceof Error ? reason.stack : String(reason)}\n`);
});

void main(process.argv.slice(2)).then(async (code) => {
  await drained(process.stdout);
  process.exit(code);
});

/** Written replies leave first: on Windows a pipe is written in the background. */
async function drained(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    // What became of the last write is told a turn later.
    if (stream.destroyed || !stream.writable) return void setImmediate(resolve);
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
