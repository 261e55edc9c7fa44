import { join } from "node:path";
import type { Machine } from "../../clients/machine.ts";
import { pluginFile } from "../../clients/plugin/installed.ts";
import { type Connection, type Request, requestOf, SERVER } from "../../clients/request.ts";
import { CLIENTS } from "../../clients/table.ts";
import { UsageError } from "../../config/options.ts";
import { realPath } from "../../storage/folders.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { inspectPath } from "../../storage/inspect.ts";
import { projectNames } from "../../storage/list.ts";
import type { CommandContext } from "../command.ts";
import { captureHint, KEPT, setCapture } from "../consent.ts";
import { PROGRAM } from "../program.ts";
import { connectQuestion, writeChanges } from "../settings-changes.ts";
import { notify, oneLine, print, quoted, say, withProgram } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  checkOptions(context);
  const { options } = context;
  const plugin = pluginHere(context);
  if (plugin !== undefined) return alreadyBy(context, plugin);
  const request = requestOf(connection(context), withSharedProgram(context));
  if (options.has("print")) return printEntries(context, request);
  if (request.capture === true) notify(context, `${withProgram(CONSENT, context.program)}\n`);
  const changes = [];
  for (const file of request.files) changes.push(await file.plan());
  // Hooks keep what was said, and removing undoes another's decision: only a typed yes counts.
  const isPlain = !options.has("remove") && request.capture !== true;
  const question = isPlain ? connectQuestion(request.title) : undefined;
  const [first, hook] = await writeChanges(context, changes, question);
  const outcomes = [first, hook].filter((outcome) => outcome !== undefined);
  // The yes to the hooks is one to what they keep.
  if (request.capture !== undefined && outcomes.every(({ changed, written }) => written || !changed))
    await setCapture(context.config, request.capture);
  const warning = emptyWarning(context);
  print(context, { ...first, ...(hook && { hook }), ...(warning && { warning }) }, "");
  if (warning !== undefined) notify(context, `${warning}\n`);
  const state = options.has("remove") ? "does not name this server" : "is already up to date";
  if (outcomes.every(({ changed }) => !changed))
    say(context, `Nothing to do: ${request.files.map(({ shown }) => oneLine(shown)).join(", ")} ${state}.`);
  else if (!outcomes.some(({ written }) => written)) {
    notify(context, `Nothing written. To write it: ${again(context)}\n`);
    return 1;
  } else if (!options.has("remove"))
    notify(context, `${[...request.notes, request.afterwards].join("\n")}\n`);
  return 0;
}

const CONSENT = `The briefing is printed into each new session.
${KEPT}
To look first: vibe-mcp capture --dry-run. Only the briefing: add --no-capture.`;

/** Where the client has a plugin switched on that starts this server, if these settings would start a second one. */
function pluginHere({
  options,
  machine,
  words,
}: CommandContext): { file: string; remove: string } | undefined {
  const client = CLIENTS.find(({ name }) => name === words[0]);
  const file = client && pluginFile(client, machine);
  if (options.has("remove") || options.has("print") || file === undefined) return undefined;
  return { file, remove: client?.plugin?.remove ?? "" };
}

function alreadyBy(context: CommandContext, { file, remove }: { file: string; remove: string }): number {
  const isOther = context.options.has("url") || context.options.has("here");
  print(context, { file, changed: false, written: false, backup: null, diff: [] }, "");
  say(
    context,
    `Nothing ${isOther ? "written" : "to do"}: its plugin starts this server already (${oneLine(file)}).`,
  );
  notify(context, `To connect it by its settings instead, remove the plugin first: ${remove}\n`);
  if (isOther) return 1;
  if (context.options.has("hooks")) notify(context, `${captureHint(context)}\n`);
  return 0;
}

function checkOptions({ options, words }: CommandContext): void {
  const isHook = options.has("hooks");
  if (isHook && words[0] !== "claude-code") throw new UsageError("--hooks works with claude-code only");
  if (isHook && (options.has("url") || options.has("name")))
    throw new UsageError("--hooks takes neither --url nor --name: it runs this program itself");
  if (options.has("no-capture") && (!isHook || options.has("remove")))
    throw new UsageError("--no-capture works with --hooks only, and not with --remove");
  if (options.has("url") && options.has("project"))
    throw new UsageError("--url takes no --project: set VIBE_PROJECT where that server runs");
  if (options.has("token-env") && !options.has("url")) throw new UsageError("--token-env needs --url");
  if (options.has("print") && (options.has("yes") || options.has("remove") || options.has("json")))
    throw new UsageError("--print writes nothing, so it takes none of --yes, --remove and --json");
}

function connection({ config, options, words }: CommandContext): Connection {
  return {
    config,
    client: words[0] ?? "",
    name: options.text("name") ?? SERVER,
    url: options.text("url"),
    token: options.text("token-env"),
    hook: options.has("hooks"),
    capture: !options.has("no-capture"),
    project: options.text("project"),
    here: options.has("here"),
    remove: options.has("remove"),
  };
}

/** Settings of a repository that keeps this program beside its notes start that one. */
function withSharedProgram({ config, machine, options }: CommandContext): Machine {
  const script = join(realPath(config.root), PROGRAM);
  const isShared =
    options.has("here") && config.rootFrom === "repository" && inspectPath(script).kind === "file";
  return isShared ? { ...machine, script, npx: false } : machine;
}

/** The entries go to stdout, to be piped; where they belong and what is missing to stderr. */
function printEntries({ terminal }: CommandContext, { files, notes }: Request): number {
  for (const { shown, printed } of files) {
    if (files.length > 1) terminal.stderr.write(`${oneLine(shown)}:\n`);
    terminal.stdout.write(printed);
  }
  for (const note of notes) terminal.stderr.write(`${note}\n`);
  return 0;
}

/** This command, without questions, over the same workspace in any folder. */
function again({ launcher, typed, settings, config }: CommandContext): string {
  const { root } = settings;
  const absolute = new Map<unknown, string>([
    [root, config.root],
    [`--root=${root}`, `--root=${config.root}`],
  ]);
  const words = typed.map((word) => absolute.get(word) ?? word);
  return [launcher, ...words.map(quoted), "--yes"].join(" ");
}

/** Undefined if the agent will find a project, or the server is elsewhere. */
function emptyWarning({ config, options, launcher, program, words }: CommandContext): string | undefined {
  if (options.has("remove") || options.has("url")) return undefined;
  if ((attempt(() => projectNames(config.root)) ?? []).length > 0) return undefined;
  return [
    `There is no project in ${oneLine(config.root)} yet, so the agent will find nothing.`,
    `In your project's folder: ${program} init`,
    `Or try the example: ${launcher} demo, then ${launcher} connect ${words[0]} --root vibe-demo`,
  ].join("\n");
}
