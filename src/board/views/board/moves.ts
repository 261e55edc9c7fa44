import { takenBack, underWay } from "../../changes.ts";
import { say, statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { announce } from "../../notices.ts";
import { state } from "../../state.ts";
import { createStore, useStore } from "../../store.ts";
import { taskAt } from "../../task-list.ts";
import { settingStatus } from "../../task-status.ts";
import { type Call, changeAll } from "./change-all.ts";
import { newOrders } from "./place.ts";
import { changes, type Move, type Moves, withMoves } from "./tasks.ts";

/** The cards that moved before the server has said yes, by path. */
export const moves = createStore<Moves>({});

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

/** Tasks that get something elsewhere on the board and, if it is among those of a column, before the others from `at` on. */
interface Step {
  tasks: readonly Task[];
  move: Move;
  place?: { tasks: readonly Task[]; at: number } | undefined;
}

/** How many notes one step may put in order. */
const MOST = 50;

export function moveTasks(tasks: readonly Task[], move: Move, place?: Step["place"]): void {
  const isMoved = ({ path }: Task) => tasks.some((one) => one.path === path);
  const others = place?.tasks.filter((task) => !isMoved(task)) ?? [];
  let orders = place && newOrders(others, tasks, place.at);
  if (orders !== undefined && orders.size > MOST) {
    announce(say(words.board.tooFar, { most: MOST }), true);
    orders = undefined;
  }
  const wanted: Record<string, Move> = {};
  const changed = [...tasks, ...others].filter((task) => {
    const order = orders?.get(task.path);
    const own = { ...(isMoved(task) && move), ...(order !== undefined && { order }) };
    if (changes(own, task)) wanted[task.path] = own;
    return changes(own, task);
  });
  if (changed.length > 0) show(wanted, () => save(changed, wanted, { tasks, move, place }));
}

const queues = new Map<string, Promise<void>>();

/** Moves cards at once, and back if the server says no. Moves of one card happen in turn. */
function show(wanted: Moves, save: () => Promise<void>): void {
  const paths = Object.keys(wanted);
  const done = paths.filter((path) => wanted[path]?.status === "done");
  if (done.length > 0) finished.update((before) => [...before.filter((one) => !done.includes(one)), ...done]);
  if (paths.length === 1) ensured.update(() => paths[0]);
  moves.update((all) => ({ ...all, ...wanted }));
  const before = [takenBack(), ...paths.map((one) => queues.get(one))];
  const queue = underWay(Promise.all(before).then(save)).then(() => {
    // The last move of several decides where a card is.
    const settled = paths.filter((one) => queues.get(one) === queue);
    for (const one of settled) queues.delete(one);
    moves.update((all) => Object.fromEntries(Object.entries(all).filter(([one]) => !settled.includes(one))));
  });
  for (const one of paths) queues.set(one, queue);
}

function save(changed: readonly Task[], wanted: Moves, { tasks, move, place }: Step): Promise<void> {
  const { status } = move;
  const { set, said } = settingStatus();
  const hasMoved = tasks.some((task) => task.status !== status);
  const done = (name: string) => {
    if (status !== undefined && hasMoved)
      return said(say(words.board.moved, { name, status: statusName(status) }));
    if (place === undefined) return say(words.board.changed, { name });
    return say(words.board.placed, { name, at: place.at + 1, count: place.tasks.length });
  };
  const change = async (task: Task, call: Call) => {
    const { status, order } = wanted[task.path] ?? {};
    if (status !== undefined && task.status !== status) await set(call, task, { status });
    if (order !== undefined && task.order !== order)
      await call("update_doc", { path: task.path, frontmatter: { order } });
  };
  const again = (left: readonly Task[]) => {
    const now = left.flatMap(({ path }) => taskAt(state.get().tasks, path) ?? []);
    moveTasks(now, move);
  };
  const failed = (name: string) => say(words.board.notMoved, { name });
  return changeAll(changed, change, { done, failed, again }, tasks);
}
