import { relative } from "node:path";
import { resolveConfig, UsageError } from "../../core/config/options.ts";
import { UserError } from "../../core/lib/errors.ts";
import { counted, plural } from "../../core/lib/text.ts";
import { initProjectTool } from "../../core/mcp/tools/init-project.ts";
import { projectLine } from "../../core/notes/project/marker.ts";
import { isCommonFolder } from "../../core/storage/folders.ts";
import { projectNames } from "../../core/storage/list.ts";
import { matchName } from "../../core/workspace/find/entries.ts";
import { projectNameOf } from "../../core/workspace/place/folder-project.ts";
import { planLink, removeLinks, writeLink } from "../../core/workspace/place/project-block.ts";
import { notesHere } from "../../core/workspace/place/repository-notes.ts";
import { surroundingsOf } from "../../core/workspace/place/surroundings.ts";
import { clientStates, guidesHere, isLeft } from "../../setup/clients/client-state.ts";
import { requestOf } from "../../setup/clients/request.ts";
import { importsIn } from "../../setup/imports/import-source.ts";
import { callTool, readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { offerCapture } from "../consent.ts";
import {
  type InRepo,
  inRepo,
  installProgram,
  isLeftOut,
  makeNotesFolder,
  originName,
  planSettings,
  registerMerging,
} from "../in-repo.ts";
import { projectFlag, yesCommand } from "../next-commands.ts";
import { nameToCreate, projectHere, withWorkspace } from "../resolve-project.ts";
import { connectQuestion, writeChanges } from "../settings-changes.ts";
import { agreed, confirm, isInteractive, notify, oneLine, print, quoted, say } from "../terminal.ts";

type Link = NonNullable<ReturnType<typeof planLink>>;

export async function run(context: CommandContext): Promise<number> {
  const { config, machine, options, program } = context;
  checkOptions(context);
  if (options.has("unlink")) return unlink(context);
  if (options.has("in-repo")) return initInRepo(context);
  const typed = nameTyped(context);
  const name = typed ?? likelyName(context);
  const link = planLink(config.root, machine, guidesHere(machine));
  const isNew = !hasProject(config.root, name);
  // A name that nobody typed is a proposal.
  const asks = typed === undefined && isNew && !isSure(context) && isInteractive(context);
  if (asks && !(await confirm(context, proposal(name, link)))) {
    const alone =
      link === undefined
        ? ""
        : ` Only the project: ${program} init ${quoted(name)}, which asks about ${oneLine(link.shown)} by itself.`;
    notify(context, `Nothing written.${alone} Another name: ${program} init my-project\n`);
    return 1;
  }
  const created = isNew ? await create(context, name) : null;
  const project = created?.project ?? projectHere(context, name);
  say(
    context,
    created === null ? `Project ${oneLine(project)} exists.` : `Created ${oneLine(created.absolute_path)}`,
  );
  const line = projectLine({ name: project, folder: notesFolder(context) });
  const linked = link && (await offerLink(context, { link, project: line, isAgreed: asks }));
  await sayDocuments(context, project);
  const clients = await offerClients(context);
  print(context, { ...(created ?? { success: true, project }), linked: linked ?? null, ...clients }, "");
  await offerCapture(context);
  if (created !== null) offerImport(context, project);
  notify(context, `Next: ${program} new "Add login"${projectFlag(context, project)}\n`);
  return 0;
}

/** The folder of the notes that this repository keeps itself, if these are the ones here. */
function notesFolder({ config, machine }: CommandContext): string {
  return config.rootFrom === "repository" ? (notesHere(machine)?.folder ?? "") : "";
}

/** Keeps the notes in the repository; with --with-program all that a clone needs. */
async function initInRepo(context: CommandContext): Promise<number> {
  if (context.config.readOnly) throw readOnlyError();
  const place = inRepo(context, context.options.text("folder"));
  const { folder, context: here } = place;
  const name = nameTyped(context) ?? (await nameInRepo(place));
  const shown = oneLine(`${folder}/${name}`);
  const isWhole = context.options.has("with-program");
  const beside = isWhole ? ", with this program beside them" : "";
  const question = `Keep the notes of ${oneLine(name)} in ${shown} of this repository${beside}? [Y/n] `;
  if (!(await agreed(context, question))) {
    notify(context, `Nothing written. To write it: ${yesCommand(context)}\n`);
    return 1;
  }
  await makeNotesFolder(place);
  const created = await create(here, name);
  const project = created?.project ?? projectHere(here, name);
  say(context, `The notes of ${oneLine(project)} are in ${shown}.`);
  const script = isWhole ? await installProgram(place) : undefined;
  const merging = await registerMerging(place);
  const link = planLink(here.config.root, here.machine, guidesHere(here.machine));
  const line = projectLine({ folder, name: project });
  const linked = link && (await offerLink(here, { link, project: line, isAgreed: true }));
  await sayDocuments(here, project);
  const planned = isWhole ? await planSettings(place, script) : [];
  const settings = await writeChanges(context, planned, "Write these settings? [Y/n] ");
  const isIgnored = await isLeftOut(place, project);
  const answer = {
    success: true,
    project,
    root: here.config.root,
    linked: linked ?? null,
    program: script ?? null,
    merging,
  };
  print(context, { ...answer, settings, ignored: isIgnored }, "");
  await offerCapture(here);
  if (created !== null) offerImport(context, project);
  notify(context, `${afterInRepo(place, { project, isIgnored, isWhole })}\n`);
  return 0;
}

/** How many documents the repository has already. */
async function sayDocuments(context: CommandContext, project: string): Promise<void> {
  const scan = await withWorkspace(context, async (workspace) => workspace.documentsOf(project)?.scan());
  const { files = [] } = scan ?? {};
  if (files.length === 0) return;
  const are = plural(files.length, "is", "are");
  const count = counted(files.length, "Markdown file");
  say(context, `docs: ${count} of this repository ${are} searched too; --no-docs leaves them out.`);
}

/** The word, or `--project`. */
function nameTyped({ options, words }: CommandContext): string | undefined {
  return words[0] ?? options.text("project");
}

/** What its line says, else what everyone who clones it calls it: the folder of a clone can have any name. */
async function nameInRepo({ repository, context }: InRepo): Promise<string> {
  const { config, machine } = context;
  const likely = projectNameOf(config.root, machine);
  return (likely?.isSaid ? likely.name : await originName(machine, repository)) ?? likelyName(context);
}

function hasProject(root: string, name: string): boolean {
  return matchName(projectNames(root), name) !== undefined;
}

/** What is left to do. */
function afterInRepo(
  { folder, context }: InRepo,
  { project, isIgnored, isWhole }: { project: string; isIgnored: boolean; isWhole: boolean },
): string {
  const { machine, settings } = context;
  const named = machine.env["VIBE_ROOT"]?.trim();
  const own = resolveConfig(settings, machine.env, machine.home).root;
  const isElsewhere = hasProject(own, project);
  const name = oneLine(project);
  const rule = `git ignores ${oneLine(folder)}: take that rule out of .gitignore, or nobody else gets the notes.`;
  return [
    ...(isIgnored ? [rule] : []),
    ...(isElsewhere
      ? [
          `${oneLine(own)} has notes of ${name}, too. To use them here, move its files to ${oneLine(folder)}/${name}.`,
        ]
      : []),
    ...(named ? ["VIBE_ROOT is set here, and decides: unset it to work with these notes."] : []),
    `Next: git add ${quoted(folder)} and the files above, and commit. ${isWhole ? "A clone needs Node alone." : "The installed vibe-mcp of everyone who clones serves them there."}`,
  ].join("\n");
}

function checkOptions({ machine, options, words }: CommandContext): void {
  if (options.has("unlink") && (words.length > 0 || options.has("link") || options.has("yes")))
    throw new UsageError("--unlink takes no project, and none of --link and --yes");
  if (options.text("folder") !== undefined && !options.has("in-repo"))
    throw new UsageError("--folder names the folder of the notes in a repository: it needs --in-repo");
  if (options.has("in-repo") && words[0]?.includes("/"))
    throw new UsageError(
      `a project's name has no "/": to name the folder of the notes, use --folder ${quoted(words[0])}`,
    );
  if (options.has("in-repo") && (options.has("unlink") || options.has("link")))
    throw new UsageError("--in-repo writes the block itself, and takes none of --link and --unlink");
  if (options.has("with-program") && !options.has("in-repo"))
    throw new UsageError("--with-program belongs to --in-repo: init --in-repo --with-program");
  const isSomewhere = !isCommonFolder(machine.folder, machine.home);
  if (options.has("link") && !isSomewhere)
    throw new UsageError("--link needs a project's folder: change to it first");
}

/** The name of the folder's repository, or what the folder says itself. Throws UsageError for a folder that belongs to none. */
function likelyName({ config, machine, program }: CommandContext): string {
  const name = nameToCreate(projectNameOf(config.root, machine)?.name);
  if (name !== undefined) return name;
  throw new UsageError(
    `${oneLine(machine.folder)} is no project's folder: change to one, or name a project: ${program} init my-project`,
  );
}

function isSure({ options }: CommandContext): boolean {
  return options.has("link") || options.has("yes");
}

function proposal(name: string, link: Link | undefined): string {
  const block = link === undefined ? "" : `, and tell agents about it in ${oneLine(link.shown)}`;
  return `Create the project ${oneLine(name)}${block}? [Y/n] `;
}

/** Names the way in for tasks that the repository keeps with another program. */
function offerImport(context: CommandContext, project: string): void {
  const { machine, program } = context;
  const top = surroundingsOf(machine)?.own.at(-1) ?? machine.folder;
  const folder = quoted(relative(machine.folder, top) || ".");
  for (const kind of importsIn(top))
    notify(
      context,
      `Bring in the tasks of ${kind}: ${program} import ${kind} ${folder}${projectFlag(context, project)}\n`,
    );
}

/** Null if someone else has just created it. */
async function create(context: CommandContext, project: string) {
  try {
    return await callTool(context, initProjectTool, { args: { project } });
  } catch (error) {
    if (error instanceof UserError && error.code === "PROJECT_EXISTS") return null;
    throw error;
  }
}

/** Writes the block with --link, --yes or after a yes; returns the path of the file that has it, for people. */
async function offerLink(
  context: CommandContext,
  { link, project, isAgreed }: { link: Link; project: string; isAgreed: boolean },
): Promise<string | undefined> {
  const shown = oneLine(link.shown);
  if (link.isDone(project)) {
    say(context, `${shown} names it already.`);
    return link.shown;
  }
  const isOther = link.current !== undefined && link.current !== project;
  const replaces = isOther ? `, replacing \`vibe: ${oneLine(link.current ?? "")}\`` : "";
  const question = `Tell agents about ${oneLine(project)} in ${shown}${replaces}? [Y/n] `;
  if (!isAgreed && !isSure(context) && !(await confirm(context, question))) {
    notify(
      context,
      `Tell agents in this folder about it: ${context.program} init ${quoted(project)} --link\n`,
    );
    return undefined;
  }
  await writeLink(link, project);
  say(context, `Wrote \`vibe: ${oneLine(project)}\` and instructions for agents into ${shown}${replaces}`);
  return link.shown;
}

async function unlink(context: CommandContext): Promise<number> {
  const files = await removeLinks(context.machine);
  print(context, { success: true, unlinked: files }, "");
  const names = files.map(oneLine).join(", ");
  say(
    context,
    files.length > 0
      ? `Removed the block from ${names}.`
      : "Nothing to do: no file for agents here has the block.",
  );
  return 0;
}

/** Connects the clients on this machine that do not serve this workspace yet: with --yes, or after a question for each. */
async function offerClients(context: CommandContext): Promise<{ connected: string[] }> {
  const { config, machine, options } = context;
  const states = clientStates(machine, config).filter(({ broken }) => broken === undefined);
  const names = states.filter((state) => isLeft(state, config.root)).map(({ client }) => client.name);
  if (states.length > 0 && names.length === 0) return { connected: [] };
  const canConnect = names.length > 0 && (options.has("yes") || isInteractive(context));
  const connected = canConnect ? await connect(context, names) : [];
  const left = names.filter((name) => !connected.includes(name));
  if (names.length === 0 || left.length > 0) notify(context, `${hint(context, left)}\n`);
  return { connected };
}

function hint({ program }: CommandContext, [first = "claude-code", ...others]: string[]): string {
  const more = others.length === 0 ? "" : ` (also here: ${others.join(", ")})`;
  return `Connect an agent: ${program} connect ${first}${more}`;
}

/** A person may use one of many: returns which are connected now. */
async function connect(context: CommandContext, names: readonly string[]): Promise<string[]> {
  const { config, machine } = context;
  const requests = names.map((client) => ({ client, ...requestOf({ client, config }, machine) }));
  say(context, `Not connected to this workspace yet: ${requests.map(({ title }) => title).join(", ")}`);
  const connected: string[] = [];
  for (const { client, title, plan, afterwards } of requests) {
    const [outcome] = await writeChanges(context, [await plan()], connectQuestion(title));
    if (outcome?.written !== true) continue;
    connected.push(client);
    notify(context, `${title}: ${afterwards}\n`);
  }
  return connected;
}
