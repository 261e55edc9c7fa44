import { taskName } from "../../../core/notes/names.ts";
import type { NewFields } from "../../../core/notes/task/fields.ts";
import { changing, inTurn, underWay } from "../../changes.ts";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { reportStatus } from "../../task-status.ts";
import { refresh } from "../../tasks.ts";

export type Call = ReturnType<typeof changing>["call"];

/** What to say of a task by its name, or of several by their number. */
interface Said {
  done(name: string): string;
  failed(name: string): string;
  /** For those that were moved meanwhile, if the person wants it all the same. */
  again?(left: readonly Task[]): void;
}

/** Changes tasks one after the other, as one change to undo, which is named by those of `named`. */
export function changeAll(...all: Parameters<typeof changeEach>): Promise<void> {
  return underWay(changeEach(...all));
}

async function changeEach(
  tasks: readonly Task[],
  change: (task: Task, call: Call) => Promise<unknown>,
  said: Said,
  named = tasks,
): Promise<void> {
  const { call, done } = changing();
  const { left, problem } = await inTurn(tasks, (task) => change(task, call));
  const changed = tasks.filter((task) => !left.includes(task));
  const nameOf = (some: readonly Task[]) => nameOfAll(some.filter((task) => named.includes(task)));
  if (changed.length > 0) done(said.done(nameOf(changed)));
  // Without a connection, everything is read again as soon as there is one.
  await Promise.allSettled([...new Set(tasks.map(({ project }) => project))].map(refresh));
  // What the person is asked about is there by then.
  if (left.length > 0) reportStatus(problem, said.failed(nameOf(left)), () => said.again?.(left));
}

/** The name of one task, or how many there are. */
export function nameOfAll(tasks: readonly Task[]): string {
  const [first] = tasks;
  return tasks.length === 1 && first !== undefined
    ? taskName(first)
    : say(words.board.count, { count: tasks.length });
}

export function setFields(call: Call, { project, path }: Task, fields: NewFields): Promise<unknown> {
  return call("update_task", { project, task: path, ...fields });
}
