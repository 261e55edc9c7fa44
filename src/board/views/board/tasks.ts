import { compare } from "../../compare.ts";
import { STATUSES, type Status, type Task } from "../../model.ts";

/** What the board shows; a field that is empty or missing filters nothing. */
export type Filter = Readonly<Partial<Record<"project" | "text" | "tag" | "owner", string | undefined>>>;

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => !!value);
}

/** Tasks whose status is none of the four are in `other`. */
export interface Column {
  status: Status | "other";
  tasks: readonly Task[];
}

export function filterTasks(tasks: readonly Task[], { project, text, tag, owner }: Filter): Task[] {
  const words = fold(text ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  return tasks.filter(
    (task) =>
      (!project || task.project === project) &&
      (!tag || task.tags.includes(tag)) &&
      (!owner || task.owner === owner) &&
      (words.length === 0 || hasAll(task, words)),
  );
}

function hasAll(task: Task, words: readonly string[]): boolean {
  const { number, title, objective, owner, tags, filename } = task;
  const text = fold([number, title, objective, owner, ...tags.map((tag) => `#${tag}`), filename].join("\n"));
  return words.every((word) => text.includes(word));
}

/** Full-width letters equal plain ones, as does upper case lower case. */
function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/**
 * The four columns, and a fifth if a task has another status; each in the order of list_tasks. Done starts with the tasks of
 * `finished`, whose last path is the latest.
 */
export function columnsOf(tasks: readonly Task[], finished: readonly string[] = []): Column[] {
  const columns = [...STATUSES, "other" as const].map((status) => ({ status, tasks: [] as Task[] }));
  for (const task of tasks) columns.find(({ status }) => status === columnOf(task))?.tasks.push(task);
  for (const { status, tasks: own } of columns) own.sort(status === "done" ? byEnd(finished) : byUrgency);
  return columns.filter(({ status, tasks: own }) => status !== "other" || own.length > 0);
}

export function columnOf({ status }: Pick<Task, "status">): Column["status"] {
  return STATUSES.find((one) => one === status) ?? "other";
}

const URGENCY = { high: 0, medium: 1, low: 2 };
const NO_DAY = "9999-99-99";

function byUrgency(a: Task, b: Task): number {
  return (
    URGENCY[a.priority ?? "medium"] - URGENCY[b.priority ?? "medium"] ||
    compare(a.due ?? NO_DAY, b.due ?? NO_DAY) ||
    compare(a.project, b.project) ||
    compare(numberOf(a), numberOf(b)) ||
    compare(a.path, b.path)
  );
}

/** The latest first. */
function byEnd(finished: readonly string[]) {
  return (a: Task, b: Task): number =>
    finished.indexOf(b.path) - finished.indexOf(a.path) ||
    compare(b.updated, a.updated) ||
    compare(a.project, b.project) ||
    compare(numberOf(a, -1), numberOf(b, -1)) ||
    compare(a.path, b.path);
}

/** Tasks without a number come last in either direction. */
function numberOf({ number }: Task, direction: 1 | -1 = 1): number {
  return number === null ? Number.POSITIVE_INFINITY : direction * Number(number);
}

/** The status of the column `step` to the right (-1: to the left); a task of another status is right of all. */
export function neighbour(status: Column["status"], step: 1 | -1): Status | undefined {
  const at = status === "other" ? STATUSES.length : STATUSES.indexOf(status);
  return STATUSES[at + step];
}

/** The tasks as they are shown while the server is asked to move some; `moves` gives statuses by path. */
export function withMoves(tasks: readonly Task[], moves: Readonly<Record<string, Status>>): readonly Task[] {
  if (Object.keys(moves).length === 0) return tasks;
  return tasks.map((task) => {
    const status = moves[task.path];
    return status === undefined || status === task.status ? task : { ...task, status };
  });
}

/** The tags and owners to choose from. */
export function choicesOf(tasks: readonly Task[]): { tags: string[]; owners: string[] } {
  const tags = new Set(tasks.flatMap((task) => task.tags));
  const owners = new Set(tasks.flatMap(({ owner }) => owner ?? []));
  return { tags: [...tags].sort(compare), owners: [...owners].sort(compare) };
}

/** The paths of tasks by their project. */
export function pathsByProject(tasks: readonly Task[]): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const { project, path } of tasks) paths.set(project, [...(paths.get(project) ?? []), path]);
  return paths;
}
