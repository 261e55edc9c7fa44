import { taskName } from "../../../notes/names.ts";
import type { TaskStatus } from "../../../notes/statuses.ts";
import { changing } from "../../changes.ts";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { state } from "../../state.ts";
import { createStore } from "../../store.ts";
import { taskAt } from "../../task-list.ts";
import { refresh } from "../../tasks.ts";
import { withMoves } from "./tasks.ts";

/** The statuses of cards that moved before the server has said yes, by path. */
export const moves = createStore<Readonly<Record<string, TaskStatus>>>({});

/** The path of a card that must be shown, however long its column is. */
export const ensured = createStore<string | undefined>(undefined);

/** The paths of cards that moved to done on this page, the latest last: tasks say only on which day they were done. */
export const finished = createStore<readonly string[]>([]);

/** As the board shows it. */
export function shownTask(path: string): Task | undefined {
  const task = taskAt(state.get().tasks, path);
  return task && withMoves([task], moves.get())[0];
}

interface Answer {
  unblocked: readonly Pick<Task, "number" | "title">[];
}

const queues = new Map<string, Promise<void>>();

/** Moves the card at once, and back if the server says no. Moves of one card happen in turn. */
export function moveTask(task: Task, status: TaskStatus): void {
  const { path } = task;
  if (task.status === status) return;
  ensured.update(() => path);
  moves.update((all) => ({ ...all, [path]: status }));
  if (status === "done") finished.update((paths) => [...paths.filter((one) => one !== path), path]);
  const queue = (queues.get(path) ?? Promise.resolve())
    .then(() => saveStatus(task, status))
    .catch((error) => report(error, words.board.notMoved(taskName(task))))
    .then(() => {
      // The last move of several decides where the card is.
      if (queues.get(path) !== queue) return;
      queues.delete(path);
      moves.update(({ [path]: _, ...others }) => others);
    });
  queues.set(path, queue);
}

async function saveStatus({ project, path, ...task }: Task, status: TaskStatus): Promise<void> {
  const change = changing();
  const answer = await change.call<Answer>("update_task_status", { project, task: path, status });
  const ready = answer.unblocked.map(taskName).join(", ");
  const moved = words.board.moved(taskName(task), statusName(status));
  // The hint is for agents: a person may move what an agent holds.
  change.done(ready === "" ? moved : `${moved} ${words.board.unblocked(ready)}`);
  // Without a connection, everything is read again as soon as there is one.
  await refresh(project).catch(() => {});
}
