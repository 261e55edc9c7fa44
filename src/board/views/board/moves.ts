import type { NewFields } from "../../../notes/task/fields.ts";
import type { TaskStatus } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { state } from "../../state.ts";
import { createStore, useStore } from "../../store.ts";
import { taskAt } from "../../task-list.ts";
import { settingStatus } from "../../task-status.ts";
import { type Call, changeAll, setFields } from "./change-all.ts";
import { changes, type LaneFields, type Move, withMoves } from "./tasks.ts";

/** The cards that moved before the server has said yes, by path. */
export const moves = createStore<Readonly<Record<string, Move>>>({});

/** The path of a card that must be shown, however long its column is. */
export const ensured = createStore<string | undefined>(undefined);

/** The paths of cards that moved to done on this page, the latest last: tasks say only on which day they were done. */
export const finished = createStore<readonly string[]>([]);

/** As the board shows it. */
export function shownTask(path: string): Task | undefined {
  const task = taskAt(state.get().tasks, path);
  return task && withMoves([task], moves.get())[0];
}

export function useShownTask(path: string): Task | undefined {
  useStore(moves, (value) => value[path]);
  useStore(state, ({ tasks }) => taskAt(tasks, path));
  return shownTask(path);
}

const queues = new Map<string, Promise<void>>();

export function moveTask(task: Task, status: TaskStatus): void {
  moveTasks([task], { status });
}

export function moveTasks(tasks: readonly Task[], move: Move): void {
  const moving = tasks.filter((task) => changes(move, task));
  const paths = moving.map(({ path }) => path);
  if (paths.length === 0) return;
  if (move.status === "done")
    finished.update((before) => [...before.filter((one) => !paths.includes(one)), ...paths]);
  showMoves(Object.fromEntries(paths.map((one) => [one, move])), () => save(moving, move));
}

/** Moves cards at once, and back if the server says no. Moves of one card happen in turn. */
export function showMoves(wanted: Readonly<Record<string, Move>>, save: () => Promise<void>): void {
  const paths = Object.keys(wanted);
  if (paths.length === 1) ensured.update(() => paths[0]);
  moves.update((all) => ({ ...all, ...wanted }));
  const queue = Promise.all(paths.map((one) => queues.get(one)))
    .then(save)
    .then(() => {
      // The last move of several decides where a card is.
      const settled = paths.filter((one) => queues.get(one) === queue);
      for (const one of settled) queues.delete(one);
      moves.update((all) =>
        Object.fromEntries(Object.entries(all).filter(([one]) => !settled.includes(one))),
      );
    });
  for (const one of paths) queues.set(one, queue);
}

function save(tasks: readonly Task[], move: Move): Promise<void> {
  const { status, ...fields } = move;
  const { set, said } = settingStatus();
  const moved = tasks.filter((task) => changes({ status }, task));
  const done = (name: string) =>
    said(moved.length > 0 ? words.board.moved(name, statusName(status)) : words.board.changed(name));
  const change = async (task: Task, call: Call) => {
    if (moved.includes(task)) await set(call, task, { status });
    if (changes(fields, task)) await setFields(call, task, orNull(fields));
  };
  return changeAll(tasks, change, { done, failed: words.board.notMoved });
}

/** Tools take null for none. */
function orNull(fields: LaneFields): NewFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
}
