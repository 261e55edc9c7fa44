/** What the rules ask of a status. */
interface StatusFacts {
  /** Its place in work order, from 0: what to do first. */
  rank: number;
  /** Its column on a board, from 0. */
  column: number;
  /** Whether counts call its tasks open. */
  isOpen: boolean;
  /** Whether nothing more is to be done: whatever depends on the task may start. */
  isClosed: boolean;
  /** Whether it ends the claim of a task. */
  endsClaim: boolean;
  /** Whether boards and counts show it only if a task has it. */
  isOptional: boolean;
  /** Factor of the score of a task in a search. */
  boost: number;
}

const OPEN = { isOpen: true, isClosed: false, endsClaim: false };
const CLOSED = { isOpen: false, isClosed: true, endsClaim: true };

/** The statuses of a task. Its words are in `words/`; where more is to be said, the compiler finds it. */
const STATUSES = {
  pending: { rank: 3, column: 0, ...OPEN, isOptional: false, boost: 1.2 },
  "in-progress": { rank: 0, column: 1, ...OPEN, isOptional: false, boost: 2 },
  review: { rank: 1, column: 3, ...OPEN, endsClaim: true, isOptional: true, boost: 1.5 },
  done: { rank: 4, column: 4, ...CLOSED, isOptional: false, boost: 0.6 },
  blocked: { rank: 2, column: 2, ...OPEN, isOpen: false, isOptional: false, boost: 1.8 },
  cancelled: { rank: 5, column: 5, ...CLOSED, isOptional: true, boost: 0.6 },
} as const satisfies Record<string, StatusFacts>;

export type TaskStatus = keyof typeof STATUSES;

export const TASK_STATUSES = Object.keys(STATUSES) as [TaskStatus, ...TaskStatus[]];
/** In the order of the columns of a board. */
export const BOARD_STATUSES: readonly TaskStatus[] = orderedBy("column");
/** What to work on first. */
export const WORK_ORDER: readonly TaskStatus[] = orderedBy("rank");

function orderedBy(key: "rank" | "column"): TaskStatus[] {
  return [...TASK_STATUSES].sort((a, b) => STATUSES[a][key] - STATUSES[b][key]);
}

/** An object with a value for each of them. */
export function perStatus<T>(make: (status: TaskStatus) => T): Record<TaskStatus, T> {
  return Object.fromEntries(TASK_STATUSES.map((status) => [status, make(status)])) as Record<TaskStatus, T>;
}

export function isTaskStatus(text: string | null): text is TaskStatus {
  return text !== null && Object.hasOwn(STATUSES, text);
}

export function factsOf(status: TaskStatus): StatusFacts {
  return STATUSES[status];
}

/** Whether nothing more is to be done for a task with this status. */
export function isClosed(status: string | null): boolean {
  return isTaskStatus(status) && STATUSES[status].isClosed;
}

/** Whether the work on a task with this status is handed in. */
export function endsClaim(status: string | null): boolean {
  return isTaskStatus(status) && STATUSES[status].endsClaim;
}

/** Whether a status is shown for so many tasks. */
export function isShown(status: TaskStatus, count: number): boolean {
  return count > 0 || !STATUSES[status].isOptional;
}

/** The columns of a board with these tasks, and those that are asked for. */
export function shownStatuses(
  tasks: readonly { status: string | null }[],
  asked: readonly TaskStatus[] = [],
): TaskStatus[] {
  const count = (one: TaskStatus) => tasks.filter(({ status }) => status === one).length;
  return BOARD_STATUSES.filter((one) => asked.includes(one) || isShown(one, count(one)));
}

/** What to do with a task of no known status. */
export const STATUS_REMEDY = `Write a line \`Status: ${TASK_STATUSES[0]}\` (${TASK_STATUSES.slice(1).join(", ")}) into it.`;
