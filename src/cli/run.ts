import { sep } from "node:path";
import { type Config, OPTIONS, resolveConfig, UsageError } from "../core/config/options.ts";
import { IS_PUBLISHED } from "../core/config/published.ts";
import type { Clock } from "../core/lib/clock.ts";
import { createLog } from "../core/lib/log.ts";
import { quoted } from "../core/lib/shell.ts";
import { isNoFolder, realPath } from "../core/storage/folders.ts";
import { closeToOthers } from "../core/storage/own-file.ts";
import { notesHere } from "../core/workspace/place/repository-notes.ts";
import { isFromRegistry, type Machine } from "../setup/clients/machine.ts";
import { type CommandLine, parseCommandLine } from "./args.ts";
import type { CommandContext, Terminal, Wrap } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import { commandHelp, overview, settingsHelp } from "./help.ts";
import { workFolder } from "./here.ts";

/** Replaced by the version of package.json when the single file is built. */
declare const VIBE_MCP_VERSION: string | undefined;

/** Where a command line was typed: a process, or what a test has instead. */
export interface Host extends Pick<NodeJS.Process, "platform" | "env" | "ppid" | "execPath"> {
  terminal: Terminal;
  /** The running program, as it was started. */
  script: string;
  home: string;
  /** Throws if the current folder no longer exists. */
  cwd(): string;
  clock: Clock;
  stop: CommandContext["stop"];
}

const VERSION = typeof VIBE_MCP_VERSION === "string" ? VIBE_MCP_VERSION : "0.0.0-dev";

/** Runs a command line; returns the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  let program = "vibe-mcp";
  try {
    program = programCommand(host);
    const line = parseCommandLine(argv, COMMANDS);
    const { command, help, version } = line;
    if (version || help) {
      host.terminal.stdout.write(version ? `${VERSION}\n` : await helpText(line, host));
      return 0;
    }
    const here = machineOf(host);
    const config = resolveConfig(line.settings, here.env, here.home, notesHere(here)?.root);
    // Earlier versions left it open.
    closeToOthers(config.state);
    if (line.settings.root !== undefined) program += ` --root ${quoted(config.root)}`;
    const wrap = await loadWrap(host);
    const context = createContext(line, config, { host, program, typed: argv, machine: here, wrap });
    if (!command?.anyRoot) checkRoots(context.config);
    if (command !== undefined) return await (await command.load()).run(context);
    const { runStdio } = await import("./commands/serve.ts");
    return await runStdio(context);
  } catch (error) {
    const { fail } = await import("./terminal.ts");
    return fail(error, host.terminal, { json: argv.includes("--json"), program, wrap: await loadWrap(host) });
  }
}

/** Knowing how wide letters are takes a while to load, and serves terminals alone. */
async function loadWrap({ terminal: { stdout, stderr } }: Host): Promise<Wrap> {
  return stdout.isTTY || stderr.isTTY ? (await import("../core/lib/width.ts")).wrapText : (text) => text;
}

async function helpText({ command, help }: CommandLine, { terminal: { stdout } }: Host): Promise<string> {
  const { wrapText } = await import("../core/lib/width.ts");
  const text = command === undefined ? overview(COMMANDS, VERSION, help === "all") : commandHelp(command);
  return wrapText(help === "settings" ? settingsHelp() : text, stdout.columns || 80);
}

function createContext(
  { command, settings, options, words }: CommandLine,
  config: Config,
  { host, ...started }: Pick<CommandContext, "program" | "typed" | "machine" | "wrap"> & { host: Host },
): CommandContext {
  const { terminal, clock, stop } = host;
  return {
    config,
    settings,
    options,
    words,
    ...started,
    launcher: programCommand(host),
    commands: COMMANDS,
    command: command?.name ?? "",
    version: VERSION,
    clock,
    log: createLog(config.logLevel, logWriter(config, command?.name === "serve", host), config.logFormat),
    terminal,
    stop,
  };
}

/** Lines of `serve`, which runs for months, start with the time; JSON has it already. */
function logWriter(
  { logFormat }: Config,
  isServe: boolean,
  { terminal: { stderr }, clock }: Host,
): (line: string) => void {
  if (!isServe || logFormat === "json") return (line) => void stderr.write(line);
  return (line) => void stderr.write(`${clock.now().toISOString()} ${line}`);
}

function machineOf(host: Host): Machine {
  const { platform, env, home } = host;
  const started = {
    platform,
    env,
    folder: currentFolder(host),
    node: host.execPath,
    script: realPath(host.script),
    npx: isPublished(host),
  };
  const folder = workFolder(started, host.ppid);
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

function currentFolder({ cwd }: Host): string {
  try {
    return cwd();
  } catch {
    throw new UsageError("the current folder no longer exists: change to another one");
  }
}

/** The command that starts this program again, in any folder. */
function programCommand(host: Host): string {
  if (isPublished(host)) return "npx vibe-mcp";
  // npx puts only its own child's PATH in order: the name alone starts nothing afterwards.
  const script = isNpx(host) ? realPath(host.script) : host.script;
  if (!script.endsWith("js")) return "vibe-mcp";
  return `node ${quoted(script.replaceAll(sep, "/"))}`;
}

/** Whether npx took this program from the registry, not from a file, and can do so again. */
function isPublished(host: Host): boolean {
  return IS_PUBLISHED && isNpx(host) && isFromRegistry(realPath(host.script));
}

function isNpx({ env }: Host): boolean {
  return env["npm_command"] === "exec";
}
