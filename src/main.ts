import { homedir } from "node:os";
import { sep } from "node:path";
import { type CommandLine, parseCommandLine } from "./cli/args.ts";
import type { CommandContext, Wrap } from "./cli/command.ts";
import { COMMANDS } from "./cli/command-table.ts";
import { commandHelp, overview, settingsHelp } from "./cli/help.ts";
import { notesHere, workFolder } from "./cli/here.ts";
import { isFromRegistry, type Machine } from "./clients/machine.ts";
import { type Config, OPTIONS, resolveConfig, UsageError } from "./config/options.ts";
import { IS_PUBLISHED } from "./config/published.ts";
import { systemClock } from "./lib/clock.ts";
import { createLog } from "./lib/log.ts";
import { quoted } from "./lib/shell.ts";
import { isNoFolder, realPath } from "./storage/folders.ts";
import { errorCode, reasonOf } from "./storage/fs-errors.ts";
import { closeToOthers } from "./storage/own-file.ts";

/** Replaced by the version of package.json when the single file is built. */
declare const VIBE_MCP_VERSION: string | undefined;

const VERSION = typeof VIBE_MCP_VERSION === "string" ? VIBE_MCP_VERSION : "0.0.0-dev";

/** Runs the command line; returns the exit code. */
async function main(argv: string[]): Promise<number> {
  let program = "vibe-mcp";
  try {
    program = programCommand();
    const line = parseCommandLine(argv, COMMANDS);
    const { command, help, version } = line;
    if (version || help) {
      process.stdout.write(version ? `${VERSION}\n` : await helpText(line));
      return 0;
    }
    const here = machine();
    const config = resolveConfig(line.settings, here.env, here.home, notesHere(here)?.root);
    // Earlier versions left it open.
    closeToOthers(config.state);
    if (line.settings.root !== undefined) program += ` --root ${quoted(config.root)}`;
    const wrap = await loadWrap();
    const context = createContext(line, config, { program, typed: argv, machine: here, wrap });
    if (!command?.anyRoot) checkRoots(context.config);
    if (command !== undefined) return await (await command.load()).run(context);
    const { runStdio } = await import("./cli/commands/serve.ts");
    return await runStdio(context);
  } catch (error) {
    const { fail } = await import("./cli/terminal.ts");
    return fail(error, process, { json: argv.includes("--json"), program, wrap: await loadWrap() });
  }
}

/** Knowing how wide letters are takes a while to load, and serves terminals alone. */
async function loadWrap(): Promise<Wrap> {
  const { stdout, stderr } = process;
  return stdout.isTTY || stderr.isTTY ? (await import("./lib/width.ts")).wrapText : (text) => text;
}

async function helpText({ command, help }: CommandLine): Promise<string> {
  const { wrapText } = await import("./lib/width.ts");
  const text = command === undefined ? overview(COMMANDS, VERSION, help === "all") : commandHelp(command);
  return wrapText(help === "settings" ? settingsHelp() : text, process.stdout.columns || 80);
}

function createContext(
  { command, settings, options, words }: CommandLine,
  config: Config,
  started: Pick<CommandContext, "program" | "typed" | "machine" | "wrap">,
): CommandContext {
  return {
    config,
    settings,
    options,
    words,
    ...started,
    launcher: programCommand(),
    commands: COMMANDS,
    command: command?.name ?? "",
    version: VERSION,
    clock: systemClock,
    log: createLog(config.logLevel, logWriter(config, command?.name === "serve"), config.logFormat),
    terminal: process,
    stop: stopSignal,
  };
}

/** Lines of `serve`, which runs for months, start with the time; JSON has it already. */
function logWriter({ logFormat }: Config, isServe: boolean): (line: string) => void {
  if (!isServe || logFormat === "json") return (line) => void process.stderr.write(line);
  return (line) => void process.stderr.write(`${systemClock.now().toISOString()} ${line}`);
}

function machine(): Machine {
  const home = homedir();
  const started = {
    platform: process.platform,
    env: process.env,
    folder: currentFolder(),
    node: process.execPath,
    script: realPath(process.argv[1] ?? ""),
    npx: isPublished(),
  };
  const folder = workFolder(started, process.ppid);
  return { ...started, home, folder: folder ?? home, isLost: folder === undefined };
}

function checkRoots({ root, vault }: Config): void {
  for (const [option, folder] of [
    [OPTIONS.root, root],
    [OPTIONS.vault, vault],
  ] as const) {
    if (folder === undefined || !isNoFolder(folder)) continue;
    throw new UsageError(`--${option.flag} (${option.variable}) must be a folder; ${folder} is not one`);
  }
}

/** A reader may stop early (`| head`); a full disk is a failure. */
function onOutputError(error: Error): void {
  if (["EPIPE", "EOF"].includes(errorCode(error))) return;
  process.stderr.write(`vibe-mcp: could not write the output: ${reasonOf(error)}\n`);
  process.exit(1);
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError("the current folder no longer exists: change to another one");
  }
}

/** The command that starts this program again, in any folder. */
function programCommand(): string {
  if (isPublished()) return "npx vibe-mcp";
  // npx puts only its own child's PATH in order: the name alone starts nothing afterwards.
  const script = isNpx() ? realPath(process.argv[1] ?? "") : (process.argv[1] ?? "");
  if (!script.endsWith("js")) return "vibe-mcp";
  return `node ${quoted(script.replaceAll(sep, "/"))}`;
}

/** Whether npx took this program from the registry, not from a file, and can do so again. */
function isPublished(): boolean {
  return IS_PUBLISHED && isNpx() && isFromRegistry(realPath(process.argv[1] ?? ""));
}

function isNpx(): boolean {
  return process.env["npm_command"] === "exec";
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

void main(process.argv.slice(2)).then(async (code) => {
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
