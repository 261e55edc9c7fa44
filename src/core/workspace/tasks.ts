import { type DocumentRow, listDocuments } from "../index/catalog.ts";
import { cached } from "../index/query-cache.ts";
import { localDate } from "../lib/clock.ts";
import { groupBy, once } from "../lib/collections.ts";
import { withoutMarkdownExtension } from "../lib/file-names.ts";
import { locateDocument, type TaskFacts, updatedDate } from "../notes/document.ts";
import { ARCHIVE, baseName, isDated, projectOf } from "../notes/names.ts";
import { heldUntil, isReady } from "../notes/task/claim.ts";
import { withoutCopies } from "../notes/task/copies.ts";
import {
  byReference,
  closedByKey,
  missingDependencies,
  openDependencies,
  referringTo,
  tasksByKey,
  waitingCircle,
} from "../notes/task/dependencies.ts";
import { isOverdue, type NewFields } from "../notes/task/fields.ts";
import { nextTaskNumber } from "../notes/task/file.ts";
import { type LeftOut, notTasks } from "../notes/task/left-out.ts";
import { type TaskNamer, taskNamer, writtenReference } from "../notes/task/reference.ts";
import { isClosed } from "../notes/task/statuses.ts";
import { attempt } from "../storage/fs-errors.ts";
import { matchName, seenProjects } from "./find/entries.ts";
import { pathFrom } from "./find/own-path.ts";
import { findTask } from "./find/task.ts";
import { listTaskFiles } from "./find/task-files.ts";
import { readProjectFiles } from "./read.ts";
import type { Workspace } from "./workspace.ts";

/** A task in a list; its status is a standard one, another text as written, or null. */
export interface WorkspaceTask
  extends TaskFacts,
    Pick<DocumentRow, "project" | "path" | "filename" | "title" | "status" | "owner" | "tags"> {
  /** `YYYY-MM-DD` */
  updated: string;
  /** Those that are not done, missing tasks included. */
  open_dependencies: string[];
  /** Those that lead to no task. */
  missing_dependencies: string[];
  /** Pending or with a claim that ran out, not archived, without open dependencies; not one that is named by a day, or whose file cannot be changed. */
  ready: boolean;
  /** Whether it is open, and its day has passed. */
  overdue: boolean;
  /** When its file changed, in milliseconds since 1970. */
  mtime: number;
  /** `2026-11-23T14:05Z`: the end of the claim that holds now. */
  held_until: string | null;
  archived: boolean;
  /** The paths of other tasks with its number. */
  same_number: string[];
}

/** The tasks of one project, or of all, by project and file name: the present ones, or with the archived ones after them. */
export async function listTasks(
  workspace: Workspace,
  project: string | undefined,
  options?: { archived?: boolean },
): Promise<WorkspaceTask[]> {
  return (await listAmongTasks(workspace, project, options)).tasks;
}

/** The same tasks, and the files among them that are none. */
export async function listAmongTasks(
  workspace: Workspace,
  project: string | undefined,
  { archived = false } = {},
): Promise<{ tasks: WorkspaceTask[]; leftOut: LeftOut[] }> {
  const { rows, leftOut } = await workspace.index.query((db) => {
    const rows = ["tasks", ARCHIVE].flatMap((folder) => listDocuments(db, { project, folder }));
    return { rows, leftOut: cached(db, JSON.stringify(["no tasks", project]), () => notTasks(rows)) };
  });
  // A present task may depend on an archived one.
  const now = workspace.clock.now().getTime();
  const tasks = [...groupBy(rows, (row) => row.project).values()].flatMap((own) => projectTasks(own, now));
  if (archived) return { tasks, leftOut };
  const isPresent = ({ path }: LeftOut) => locateDocument(path)?.folder !== ARCHIVE;
  return { tasks: tasks.filter((task) => !task.archived), leftOut: leftOut.filter(isPresent) };
}

/** The tasks of one project, archived ones included, read from its files, for those who need no index. */
export function readTasks(
  { root, clock }: Pick<Workspace, "root" | "clock">,
  project: string,
): WorkspaceTask[] {
  const files = ["tasks", ARCHIVE].flatMap((folder) => readProjectFiles(root, project, folder));
  return projectTasks(files, clock.now().getTime());
}

/** The tasks among the documents of one project, archived ones included, at `now` (milliseconds since 1970). */
export function projectTasks(rows: readonly DocumentRow[], now: number): WorkspaceTask[] {
  const found = withoutCopies(rows).flatMap((row) => (row.task === null ? [] : [{ row, facts: row.task }]));
  const closed = once(() =>
    closedByKey(found.map(({ row: { filename, status }, facts: { ids } }) => ({ filename, status, ids }))),
  );
  const numbered = once(() => groupBy(found, ({ facts }) => Number(facts.number ?? Number.NaN)));
  const pathsOf = (number: number) =>
    numbered()
      .get(number)
      ?.map(({ row }) => row.path) ?? [];
  const today = localDate(new Date(now));
  return withParents(found).map(({ row, facts }) => new Task(row, facts, { closed, pathsOf, now, today }));
}

interface FoundTask {
  row: DocumentRow;
  facts: TaskFacts;
}

/** With the file's name of each parent, whose progress counts its children as steps. */
function withParents(found: readonly FoundTask[]): readonly FoundTask[] {
  if (found.every(({ facts }) => facts.parent === undefined)) return found;
  const byKey = tasksByKey(found.map((one) => ({ ...one, filename: one.row.filename, ids: one.facts.ids })));
  const parents = new Map(
    found.flatMap(({ row, facts: { parent } }) => {
      const [above] = (parent !== undefined && byReference(byKey, parent)) || [];
      return above === undefined || above.row === row ? [] : [[row, above.row] as const];
    }),
  );
  const children = groupBy([...parents.keys()], (row) => parents.get(row));
  return found.map(({ row, facts }) => {
    const own = children.get(row) ?? [];
    const above = parents.get(row);
    const { done, total } = facts.progress;
    const closed = own.filter(({ status }) => isClosed(status)).length;
    const progress = { done: done + closed, total: total + own.length };
    const name = above && withoutMarkdownExtension(baseName(above.filename));
    return { row, facts: { ...facts, progress, ...(name !== undefined && { parent: name }) } };
  });
}

/** With the file's name of a parent that a tool was given. Throws as findTask does. */
export function namedParent<T extends Pick<NewFields, "parent">>(root: string, project: string, task: T): T {
  if (task.parent == null) return task;
  return { ...task, parent: withoutMarkdownExtension(baseName(findTask(root, project, task.parent))) };
}

interface Surroundings {
  closed: () => ReadonlyMap<string, boolean>;
  /** The paths of the tasks with a number. */
  pathsOf: (number: number) => readonly string[];
  now: number;
  /** `YYYY-MM-DD` */
  today: string;
}

type Said = TaskFacts &
  Pick<WorkspaceTask, "project" | "path" | "filename" | "title" | "status" | "owner" | "tags">;

const SaidOfTask = class {
  constructor(row: object, facts: object) {
    Object.assign(this, row, facts);
  }
} as new (
  row: Omit<Said, keyof TaskFacts>,
  facts: TaskFacts,
) => Said;

/** Most callers read little more than what a task says: the rest is computed when it is read. */
class Task extends SaidOfTask implements WorkspaceTask {
  readonly #row: DocumentRow;
  readonly #around: Surroundings;
  #open: string[] | undefined;

  constructor(row: DocumentRow, facts: TaskFacts, around: Surroundings) {
    const { project, path, filename, title, status, owner, tags } = row;
    super({ project, path, filename, title, status, owner, tags }, facts);
    this.#row = row;
    this.#around = around;
  }

  get updated() {
    return updatedDate(this.#row);
  }
  get mtime() {
    return this.#row.mtime;
  }
  get held_until() {
    return heldUntil(this, this.#around.now);
  }
  get overdue() {
    return !isClosed(this.status) && isOverdue(this, this.#around.today);
  }
  get open_dependencies() {
    this.#open ??= this.dependencies.length === 0 ? [] : openDependencies(this, this.#around.closed());
    return this.#open;
  }
  get missing_dependencies() {
    return this.dependencies.length === 0
      ? []
      : missingDependencies(this.dependencies, this.#around.closed());
  }
  get archived() {
    return this.#row.folder === ARCHIVE;
  }
  get same_number() {
    const own = this.number === null ? [] : this.#around.pathsOf(Number(this.number));
    return own.filter((path) => path !== this.path);
  }
  get ready() {
    const isOpen = !this.archived && this.form === undefined && isReady(this, this.#around.now);
    return isOpen && !isDated(this.filename);
  }
}

/** The number of a new task: above that of every task on disk, archived ones too, and at least `least`. Throws FILESYSTEM_ERROR. */
export function nextNumber({ root }: Workspace, project: string, least: number): number {
  return Math.max(least, nextTaskNumber(listTaskFiles(root, project)));
}

/** The references that lead to no task of the project; none if its tasks cannot all be listed. */
export function missingTasks(
  workspace: Pick<Workspace, "root" | "clock">,
  project: string,
  references: readonly string[],
): string[] {
  if (references.length === 0) return [];
  const files = attempt(() => listTaskFiles(workspace.root, project));
  if (files === undefined) return [];
  const missing = missingDependencies(references, tasksByKey(files.map((filename) => ({ filename }))));
  // Names from elsewhere are in the files.
  return missing.length === 0 ? [] : missingDependencies(missing, tasksByKey(readTasks(workspace, project)));
}

/** How a dependency names the tasks of a project; without `tasks`, their files are read for their titles. */
export function namerOf(
  { root, clock }: Pick<Workspace, "root" | "clock">,
  project: string,
  tasks?: readonly WorkspaceTask[] | undefined,
): TaskNamer {
  const named = taskNamer(
    () => listTaskFiles(root, project),
    () => tasks ?? readTasks({ root, clock }, project),
  );
  return (text) => named(text) ?? namedByPath(root, project, text);
}

/** A task by its path in any form: in the project its name, in another one its path, which leads to no task here. */
function namedByPath(root: string, project: string, text: string): string | null {
  if (!/\/|\.md/i.test(text)) return null;
  const path = pathFrom(root, () => project, text.trim());
  const owner = matchName(seenProjects(root), projectOf(path)) ?? project;
  const found = attempt(() => withoutMarkdownExtension(findTask(root, owner, path)));
  if (found === undefined) return null;
  const name = owner === project ? baseName(found) : found;
  return writtenReference(name) === null ? null : name;
}

/** The open tasks of a project that wait for each other, the one at `path` among them. */
export function circleAt(path: string, tasks: readonly WorkspaceTask[]): WorkspaceTask[] | null {
  const task = tasks.find((one) => one.path === path);
  return task === undefined || isClosed(task.status) ? null : waitingCircle(task, tasks);
}

/** The tasks that can start now and waited for this one. */
export async function tasksAfter(
  workspace: Workspace,
  { project, path }: Pick<WorkspaceTask, "project" | "path">,
): Promise<WorkspaceTask[]> {
  const all = await listTasks(workspace, project, { archived: true });
  const done = all.find((task) => task.path === path);
  if (done === undefined) return [];
  const isMeant = referringTo(done);
  return all.filter((task) => task !== done && task.ready && task.dependencies.some(isMeant));
}
