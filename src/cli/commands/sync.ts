import { UsageError } from "../../core/config/options.ts";
import { maskAddresses } from "../../core/git/address.ts";
import { git } from "../../core/git/ask-git.ts";
import { UserError } from "../../core/lib/errors.ts";
import { listNames, quoteName } from "../../core/lib/escape.ts";
import { counted } from "../../core/lib/text.ts";
import { realPath, repositoryOf } from "../../core/storage/folders.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { syncOnce } from "../../together/sync/round.ts";
import { type Synced, syncedOf } from "../../together/sync/settings.ts";
import { DEFAULT_BRANCH, remoteAddress, setUpSync, stopSync } from "../../together/sync/setup.ts";
import { syncState } from "../../together/sync/state.ts";
import type { How, SyncReport } from "../../together/sync/syncing.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { undoCommand } from "../next-commands.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { notify, oneLine, print, quoted } from "../terminal.ts";

/** Others can send as many names as they like. */
const MAX_LEFT = 100;
const ACTIONS = ["setup", "status", "stop", "dry-run"] as const;

/** Exchanges notes with a git remote: sets that up, does it once, shows its state, or ends it. */
export async function run(context: CommandContext): Promise<number> {
  const { options, words } = context;
  const asked = ACTIONS.filter((name) => options.has(name));
  if (asked.length > 1) throw new UsageError(`--${asked.join(" and --")} do not go together: choose one`);
  const [action = "round"] = asked;
  if (context.config.sync === "off" && action !== "status" && action !== "stop")
    throw new UsageError("VIBE_SYNC or --sync is off: set it to auto, or to manual for this command alone");
  if (words.length > 0 && action !== "setup")
    throw new UsageError("a remote is named once, with --setup; then sync needs no words");
  if (action === "status") return status(context);
  if (context.config.readOnly) throw readOnlyError();
  if (action === "setup") return setUp(context);
  if (action === "stop") return stop(context);
  const how = { dryRun: action === "dry-run", isLarge: options.has("large") };
  return withWorkspace(context, (workspace) => syncAll(context, workspace, how));
}

async function setUp(context: CommandContext): Promise<number> {
  const { config, machine, options } = context;
  const { address, project } = await remoteHere(context);
  const branch = options.text("branch") ?? DEFAULT_BRANCH;
  return withWorkspace(context, async (workspace) => {
    const syncing = { workspace, env: machine.env, state: config.state };
    const report = await setUpSync({ ...syncing, address, branch, project, isLarge: options.has("large") });
    const what = project === undefined ? "The whole workspace" : `The project ${oneLine(project)}`;
    const head = `${what} is synced with the branch ${branch} of ${oneLine(address)}.`;
    const next = `Servers do it by themselves from now on. On other machines: ${context.launcher} sync --setup ${quoted(address)}`;
    if (report.problem === undefined) notify(context, `${head}\n${project === undefined ? `${next}\n` : ""}`);
    return show(context, [{ project, report }]);
  });
}

/** The remote that was typed, for the whole workspace or the project named; without one, that of the repository here, for its project. */
async function remoteHere(
  context: CommandContext,
): Promise<{ address: string; project: string | undefined }> {
  const { config, machine, options, words } = context;
  const named = options.text("project");
  const [typed] = words;
  if (typed !== undefined) {
    const address = remoteAddress(typed, machine.folder);
    await checkOwnRepository(context, address);
    return { address, project: named === undefined ? undefined : projectHere(context, named) };
  }
  if (config.rootFrom === "repository")
    throw new UserError(
      "INVALID_ARGUMENT",
      "These notes are part of the repository: git carries them with its branches, so commit and push them. To keep them apart instead, move them to a folder outside first.",
    );
  const address = await originOf(context, machine.folder);
  if (address === undefined)
    throw new UsageError(
      "name the remote, or change to a repository that has an origin: sync --setup <remote>",
    );
  return { address, project: projectHere(context, named) };
}

/** A workspace that is a clone of the same remote needs no second way. */
async function checkOwnRepository(context: CommandContext, address: string): Promise<void> {
  const { config } = context;
  // One of another kind is another remote.
  const origin = await originOf(context, realPath(config.root)).catch(() => undefined);
  if (origin !== address) return;
  const message = `${quoteName(config.root)} is a clone of that remote already: plain git is enough. Use git pull and git push there, and merge --register, so that notes merge by what they say.`;
  throw new UserError("INVALID_ARGUMENT", message);
}

/** The address of the origin of the repository around a folder. Throws what remoteAddress throws. */
async function originOf({ machine }: CommandContext, folder: string): Promise<string | undefined> {
  const repository = repositoryOf(folder) ?? "";
  const asked = ["config", "--local", "--get", "remote.origin.url"];
  const url = repository && (await git(machine, repository, asked));
  return url ? remoteAddress(url, repository) : undefined;
}

/** What is synced of this workspace; of one project alone if it is named. Throws if nothing is. */
function synced(context: CommandContext): [Synced, ...Synced[]] {
  const { config, options, launcher } = context;
  const named = options.text("project");
  const project = named === undefined ? undefined : projectHere(context, named);
  const [first, ...others] = syncedOf(config.state, config.root).filter(
    ({ settings }) => project === undefined || settings.project === project,
  );
  if (first !== undefined) return [first, ...others];
  const message = `These notes are not synced. Set it up once: ${launcher} sync --setup <remote>. In a project's repository, without <remote>, its notes travel on a branch of their own.`;
  throw new UserError("INVALID_ARGUMENT", message);
}

async function syncAll(context: CommandContext, workspace: Workspace, how: How): Promise<number> {
  const { env } = context.machine;
  const results: Result[] = [];
  for (const { folder, settings } of synced(context))
    results.push({
      project: settings.project,
      report: await syncOnce({ workspace, folder, env }, how),
    });
  return show(context, results);
}

interface Result {
  project: string | undefined;
  report: SyncReport;
}

function show(context: CommandContext, results: readonly Result[]): number {
  const success = results.every(({ report }) => report.problem === undefined);
  const lines = results.flatMap(({ project, report }) => [
    ...(results.length > 1 ? [`${oneLine(project ?? "all projects")}:`] : []),
    ...linesOf(context, report),
  ]);
  print(
    context,
    { success, rounds: results.map(({ project, report }) => ({ project, ...report })) },
    `${lines.join("\n")}\n`,
  );
  return success ? 0 : 1;
}

/** What came, what went, and what a person has to decide. */
function linesOf(context: CommandContext, report: SyncReport): string[] {
  const { received, sent, kept, renumbered, refused, skipped, problem, warning, unsent } = report;
  const isDry = context.options.has("dry-run");
  const paths = (list: readonly string[]) => (list.length === 0 ? "" : `: ${listNames(list, 5)}`);
  if (problem !== undefined) {
    const waiting = unsent === 0 ? "" : ` ${counted(unsent, "change")} not sent;`;
    return [`Not synced:${waiting} ${oneLine(problem)}.`];
  }
  return [
    `${isDry ? "Would receive" : "Received"} ${counted(received.length, "change")}${paths(received)}`,
    `${isDry ? "Would send" : "Sent"} ${counted(sent.length, "change")}${paths(sent)}`,
    ...renumbered.map(
      ({ from, to }) =>
        `Another machine used that name or number first: ${oneLine(from)} is now ${oneLine(to)}`,
    ),
    ...leftLines("Not taken over", refused),
    ...leftLines("Not sent", skipped),
    ...(warning === undefined ? [] : [`Soon in the way: ${oneLine(warning)}.`]),
    ...(kept.length === 0 ? ["Nothing needs a decision."] : kept.map((one) => keptLine(context, one))),
  ];
}

function leftLines(what: string, left: SyncReport["refused"]): string[] {
  const lines = left
    .slice(0, MAX_LEFT)
    .map(({ path, reason }) => `${what}: ${oneLine(path)}: ${oneLine(reason)}`);
  const more = left.length - lines.length;
  return more === 0 ? lines : [...lines, `${what}: ${more} more`];
}

function keptLine(context: CommandContext, { path, change }: SyncReport["kept"][number]): string {
  const way =
    change === undefined
      ? "your text is not kept, since history is off."
      : `to bring your text back: ${undoCommand(context, [change])}`;
  return `Changed in two places: ${oneLine(path)} has the shared text; ${way}`;
}

function status(context: CommandContext): number {
  const all = synced(context);
  const lines = all.flatMap(({ settings }) => [
    `${oneLine(settings.project ?? "all projects")}: branch ${settings.branch} of ${oneLine(maskAddresses(settings.address))}`,
    `${syncState(settings, context.clock.now())}.`,
    ...settings.kept.map((one) => keptLine(context, one)),
  ]);
  const shown = all.map(({ settings: { version: _, root: __, ...rest } }) => ({
    ...rest,
    address: maskAddresses(rest.address),
  }));
  print(context, { success: true, synced: shown }, `${lines.join("\n")}\n`);
  return 0;
}

async function stop(context: CommandContext): Promise<number> {
  const all = synced(context);
  for (const { folder } of all) await stopSync(folder);
  const addresses = all.map(({ settings }) => maskAddresses(settings.address));
  const text = `No longer synced with ${listNames(addresses)}. The notes stay here and there.`;
  print(context, { success: true, stopped: addresses }, `${text}\n`);
  return 0;
}
