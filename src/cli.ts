import { Console } from "node:console";
import { homedir } from "node:os";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import type { Command, CommandContext } from "./commands/command.ts";
import { demoCommand } from "./commands/demo.ts";
import { searchCommand } from "./commands/search.ts";
import { serveCommand } from "./commands/serve.ts";
import { serveOnStdio } from "./commands/serve-stdio.ts";
import { type Config, type Flags, OPTIONS, type Option, resolveConfig, UsageError } from "./config.ts";
import { isNoFolder } from "./files/folders.ts";
import { resolveHttpConfig } from "./http-config.ts";
import { systemClock } from "./lib/clock.ts";
import { UserError } from "./lib/errors.ts";
import { createLog } from "./lib/log.ts";
import { nearest } from "./lib/text.ts";
import { VERSION } from "./version.ts";

const COMMANDS: readonly Command[] = [serveCommand, searchCommand, demoCommand];

/** Runs the command line; answers the exit code. */
async function main(argv: string[]): Promise<number> {
  try {
    const { values, positionals } = parse(argv);
    if (values["help"] === true) return say(help());
    if (values["version"] === true) return say(`${VERSION}\n`);
    const [name, ...words] = positionals;
    const context = createContext(values, words);
    checkRoots(context.config);
    return name === undefined ? await serveOnStdio(context) : await findCommand(name).run(context);
  } catch (error) {
    return fail(error);
  }
}

type Values = Record<string, string | boolean | undefined>;

function parse(argv: string[]): { values: Values; positionals: string[] } {
  const settings = Object.values(OPTIONS).flatMap((option: Option) => {
    const type = option.value === undefined ? "boolean" : "string";
    return option.flag === undefined ? [] : [[option.flag, { type }] as const];
  });
  const own = {
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
    json: { type: "boolean" },
    project: { type: "string" },
    limit: { type: "string" },
  } as const;
  const options = { ...Object.fromEntries(settings), ...own };
  try {
    return parseArgs({ args: argv, options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : "").split(". ");
    throw new UsageError(`${reason.replace(/\.$/, "")}. See: vibe-mcp --help`);
  }
}

function createContext(values: Values, words: string[]): CommandContext {
  const flags: Flags = {};
  for (const [name, { flag }] of Object.entries<Option>(OPTIONS)) {
    const value = flag === undefined ? undefined : values[flag];
    if (value !== undefined) flags[name as keyof typeof OPTIONS] = value;
  }
  const config = resolveConfig(flags, process.env, homedir());
  const { stdin, stdout, stderr } = process;
  return {
    config,
    http: () => resolveHttpConfig(flags, process.env, homedir()),
    version: VERSION,
    program: program(),
    words,
    flags: { json: values["json"] === true, project: text(values["project"]), limit: count(values["limit"]) },
    clock: systemClock,
    log: createLog(config.logLevel, (line) => stderr.write(line), config.logFormat),
    terminal: { stdin, stdout, stderr, colors: stdout.isTTY === true && stdout.hasColors() },
    stop: stopSignal,
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

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function count(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= 100) return number;
  throw new UsageError(`--limit takes a whole number from 1 to 100, not "${value}"`);
}

function program(): string {
  const script = process.argv[1] ?? "";
  if (process.env["npm_command"] === "exec") return "npx vibe-mcp";
  return script.endsWith("js") ? `node ${relative(process.cwd(), script)}` : "vibe-mcp";
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const names = COMMANDS.map((candidate) => candidate.name);
  const [suggestion] = nearest(name, names, 1);
  const hint = suggestion === undefined ? `Commands: ${names.join(", ")}` : `Did you mean "${suggestion}"?`;
  throw new UsageError(`there is no command "${name}". ${hint} See: vibe-mcp --help`);
}

function say(message: string): number {
  process.stdout.write(message);
  return 0;
}

function fail(error: unknown): number {
  if (error instanceof UsageError || error instanceof UserError) {
    process.stderr.write(`vibe-mcp: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
  process.stderr.write(
    `vibe-mcp: unexpected error\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return 1;
}

function help(): string {
  const rows = COMMANDS.map(({ name, usage, summary }) => [`vibe-mcp ${name} ${usage}`, summary] as const);
  const commands = [["vibe-mcp", "Serve the workspace to an agent over MCP on stdio."] as const, ...rows];
  const options = Object.values(OPTIONS).map(({ flag, variable, value, fallback, help }: Option) => {
    if (flag === undefined) return [variable ?? "", `${help} (${fallback})`] as const;
    const name = value === undefined ? `--${flag}` : `--${flag} <${value}>`;
    return [name, `${help} (${[fallback, variable].filter(Boolean).join("; ")})`] as const;
  });
  const table = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([left, right]) => `  ${left.padEnd(28)}${right}`).join("\n");
  return `vibe-mcp ${VERSION}: project context for AI agents, from Markdown files, over MCP.

${table(commands)}

Options (default; environment variable):
${table(options)}
  ${"--project, --limit, --json".padEnd(28)}For search: one project, how many, machine-readable.
  ${"--version, --help".padEnd(28)}
`;
}

// stdout belongs to the protocol: whatever a library prints goes to stderr.
globalThis.console = new Console(process.stderr, process.stderr);
process.on("unhandledRejection", (reason) => {
  process.stderr.write(`vibe-mcp error: ${reason instanceof Error ? reason.stack : String(reason)}\n`);
});

void main(process.argv.slice(2)).then(async (code) => {
  await drained(process.stdout);
  process.exit(code);
});

/** Written replies leave first: on Windows a pipe is written in the background. */
async function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || !stream.writable) return;
  await new Promise<void>((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
