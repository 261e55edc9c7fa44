import { type Git, git, gitInCalls } from "../core/git/ask-git.ts";
import { UserError } from "../core/lib/errors.ts";
import { listNames } from "../core/lib/escape.ts";
import { quoted } from "../core/lib/shell.ts";
import { capitalized } from "../core/lib/text.ts";
import { createCodeReaders } from "../core/stale/code-reader.ts";
import { projectNames } from "../core/storage/list.ts";
import { isPortablePath } from "../core/storage/path-gate.ts";
import { findProject } from "../core/workspace/find/project.ts";
import {
  chooseProject,
  type ProjectChoice,
  type ProjectSources,
} from "../core/workspace/place/choose-project.ts";
import { claudeFolder } from "../core/workspace/place/repository-notes.ts";
import { createRepositories } from "../core/workspace/repository/repositories.ts";
import { openWorkspace, type Workspace } from "../core/workspace/workspace.ts";
import type { CommandContext } from "./command.ts";
import { progressLine } from "./terminal.ts";

/** To list the files of a repository. */
const LIST_MS = 30_000;
/** To read its history. */
const HISTORY_MS = 60_000;

/** Opens the workspace for `use`, and saves its index afterwards, unless it `leavesIndex` to the next call. */
export async function withWorkspace<T>(
  context: CommandContext,
  use: (workspace: Workspace) => Promise<T>,
  leavesIndex = false,
): Promise<T> {
  const { config, clock, log, machine } = context;
  const workspace = openWorkspace({ config, clock, log, git: gitInCalls(machine), leavesIndex });
  knowRepositories(workspace, context, { here: foldersHere(context), waits: true });
  const show = progressLine(context);
  const shown = workspace.index.watch(({ done, total }) => show(done, total));
  workspace.history.onWrite = (done, total) => show(done, total, "Writing");
  try {
    return await use(workspace);
  } finally {
    shown();
    show(0, 0);
    await workspace.close();
  }
}

/** Lets a workspace know the repositories of its projects: those around the folders `here`, else those that were seen last on this machine. */
export function knowRepositories(
  workspace: Workspace,
  { config, clock, log, machine }: CommandContext,
  { here, waits }: { here: readonly string[]; waits: boolean },
): void {
  const { root, state, docs, stale } = config;
  const { env, home } = machine;
  const ask: Git = (place, args) => git({ env, ms: LIST_MS }, place, args);
  const options = { root, state, clock, log, git: ask, waits, home, folders: here, docs };
  workspace.repositories = createRepositories(options);
  const gitUntil =
    (signal: AbortSignal): Git =>
    (...asked) =>
      git({ env, ms: HISTORY_MS, signal }, ...asked);
  workspace.code = stale ? createCodeReaders({ gitUntil, state, log }) : undefined;
}

/** The folders in which a person or client works, nearest first. */
export function foldersHere({ machine }: CommandContext): string[] {
  return [claudeFolder(machine) ?? [], machine.folder].flat();
}

/** What names the current project of a person or client on this machine. */
export function projectSources({ config, machine }: CommandContext): ProjectSources {
  const { home, folder, isLost } = machine;
  return { setting: config.project, claudeFolder: claudeFolder(machine), folder, isLost, home };
}

export function currentProject(context: CommandContext): ProjectChoice {
  return chooseProject(context.config.root, projectSources(context));
}

/** The named project, or the current one. Throws PROJECT_NOT_FOUND, which suggests `option` to name one. */
export function projectHere(
  context: CommandContext,
  named: string | undefined,
  option = "--project",
): string {
  const { config, program } = context;
  if (named !== undefined) return findProject(config.root, named);
  const { project, reason, expected } = currentProject(context);
  if (project !== undefined) return project;
  const names = projectNames(config.root);
  const [first] = names;
  const next =
    first === undefined
      ? "The workspace has no project yet. Create it:"
      : `Projects: ${listNames(names, 10)}. Use ${option} ${quoted(first)}, or create it:`;
  const create = `${program} init ${quoted(nameToCreate(expected) ?? "my-project")}`;
  const message = `Which project? ${capitalized(reason)}. ${next} ${create}`;
  throw new UserError("PROJECT_NOT_FOUND", message, { details: { project: expected ?? "" } });
}

/** The name, if it is one for a new project. */
export function nameToCreate(name: string | undefined): string | undefined {
  return name !== undefined && isPortablePath(`${name}/a`) ? name : undefined;
}

/** Like `projectHere`, but undefined if no project is named and the folder belongs to none. */
export function projectHereIfAny(context: CommandContext, named: string | undefined): string | undefined {
  if (named === undefined && context.config.project === undefined) return currentProject(context).project;
  return projectHere(context, named);
}

/** The message for a workspace without projects; undefined if there are some. */
export function emptyWorkspace({ config, program }: CommandContext): string | undefined {
  if (projectNames(config.root).length > 0) return undefined;
  return `There is no project in ${config.root} yet.\nCreate one: ${program} init my-project. Or try an example: ${program} demo\n`;
}
