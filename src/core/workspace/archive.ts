import { UserError } from "../lib/errors.ts";
import { escapeName } from "../lib/escape.ts";
import { pauses } from "../lib/pauses.ts";
import { locateDocument } from "../notes/document.ts";
import { ARCHIVE, projectOf } from "../notes/names.ts";
import { archiveDoubts, doubtsInWords } from "../notes/task/archive-doubts.ts";
import { isClosed } from "../notes/task/statuses.ts";
import { newPathOnDisk } from "./find/folder.ts";
import { taskFinder } from "./find/task.ts";
import { movePlanned } from "./move.ts";
import type { DocumentMove } from "./move-check.ts";
import type { MoveResult } from "./move-plan.ts";
import { listTasks, type WorkspaceTask } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

export interface ArchiveRequest {
  /** Numbers, names or paths (default: all tasks). */
  tasks?: readonly string[] | undefined;
  /** `YYYY-MM-DD`: only tasks last updated before that day. */
  before?: string | undefined;
  /** Moves them out of the archive instead, whatever their status. */
  restore: boolean;
  dryRun: boolean;
}

/** Moves done and cancelled tasks to the archive, as one change. Throws INVALID_ARGUMENT for a named task that is open. */
export async function archiveTasks(
  workspace: Workspace,
  project: string,
  request: ArchiveRequest,
): Promise<MoveResult> {
  const plan = () => planMoves(workspace, project, request);
  return movePlanned(workspace, project, { plan, dryRun: request.dryRun });
}

async function planMoves(
  workspace: Workspace,
  project: string,
  request: ArchiveRequest,
): Promise<DocumentMove[]> {
  const tasks = await pickTasks(workspace, project, request);
  return tasks.map(({ path, archived }) => ({ from: path, to: otherPlace(workspace.root, path, archived) }));
}

function otherPlace(root: string, path: string, archived: boolean): string {
  const [project = "", ...parts] = path.split("/");
  const others = archived ? parts.slice(1) : [ARCHIVE, ...parts];
  return newPathOnDisk(root, [project, ...others].join("/"));
}

async function pickTasks(
  workspace: Workspace,
  project: string,
  { tasks: names, before, restore }: ArchiveRequest,
): Promise<WorkspaceTask[]> {
  const named = names && (await pathsOf(workspace.root, project, names));
  const all = await listTasks(workspace, project, { archived: true });
  const asked = all.filter(
    ({ archived, path }) => archived === restore && (named === undefined || named.has(path)),
  );
  const ready = asked.filter(({ status }) => restore || isClosed(status));
  if (named !== undefined && ready.length < asked.length) throw notDone(asked, all);
  return ready.filter(({ updated }) => before === undefined || updated < before);
}

async function pathsOf(root: string, project: string, names: readonly string[]): Promise<Set<string>> {
  const [find, pause, paths] = [taskFinder(root, project), pauses(), new Set<string>()];
  for (const name of names) {
    paths.add(find(name));
    await pause();
  }
  return paths;
}

function notDone(tasks: readonly WorkspaceTask[], all: readonly WorkspaceTask[]): UserError {
  const doubts = archiveDoubts(
    tasks,
    all.filter(({ archived }) => !archived),
  );
  const message = `${doubtsInWords(doubts)} Nothing was archived. Leave them out, or set them to done or cancelled first.`;
  const open = doubts.notDone.map(({ filename }) => escapeName(filename));
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "tasks", open } });
}

/** What speaks against a move that archives a task, in words; null for others. */
export async function archiveWarning(
  workspace: Workspace,
  { from, to }: DocumentMove,
): Promise<string | null> {
  if (locateDocument(to)?.folder !== ARCHIVE) return null;
  const all = await listTasks(workspace, projectOf(from));
  const tasks = all.filter(({ path }) => path === from);
  return doubtsInWords(archiveDoubts(tasks, all)) || null;
}
