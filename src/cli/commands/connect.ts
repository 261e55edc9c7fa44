import { join } from "node:path";
import { UsageError } from "../../core/config/options.ts";
import { realPath } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { projectNames } from "../../core/storage/list.ts";
import type { Machine } from "../../setup/clients/machine.ts";
import { pluginFile } from "../../setup/clients/plugin/installed.ts";
import { type Connection, type Request, requestOf } from "../../setup/clients/request.ts";
import { CLIENTS } from "../../setup/clients/table.ts";
import type { CommandContext } from "../command.ts";
import { yesCommand } from "../next-commands.ts";
import { PROGRAM } from "../program.ts";
import { connectQuestion, writeChanges } from "../settings-changes.ts";
import { notify, oneLine, print, say } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  checkOptions(context);
  const { options } = context;
  const plugin = pluginHere(context);
  if (plugin !== undefined) return alreadyBy(context, plugin);
  const request = requestOf(connection(context), withSharedProgram(context));
  if (options.has("print")) return printEntry(context, request);
  // Removing undoes another's decision: only a typed yes counts.
  const question = options.has("remove") ? undefined : connectQuestion(request.title);
  const [outcome] = await writeChanges(context, [await request.plan()], question);
  const warning = emptyWarning(context);
  print(context, { ...outcome, ...(warning && { warning }) }, "");
  if (warning !== undefined) notify(context, `${warning}\n`);
  const state = options.has("remove") ? "does not name this server" : "is already up to date";
  if (outcome?.changed !== true) say(context, `Nothing to do: ${oneLine(request.shown)} ${state}.`);
  else if (!outcome.written) {
    notify(context, `Nothing written. To write it: ${yesCommand(context)}\n`);
    return 1;
  } else if (!options.has("remove"))
    notify(context, `${[...request.notes, request.afterwards].join("\n")}\n`);
  return 0;
}

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
  return isOther ? 1 : 0;
}

function checkOptions({ options }: CommandContext): void {
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
    name: options.text("name"),
    url: options.text("url"),
    token: options.text("token-env"),
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

/** The entry goes to stdout, to be piped; what is missing to stderr. */
function printEntry({ terminal }: CommandContext, { printed, notes }: Request): number {
  terminal.stdout.write(printed);
  for (const note of notes) terminal.stderr.write(`${note}\n`);
  return 0;
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
