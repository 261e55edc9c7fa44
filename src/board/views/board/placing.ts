import "./placing.css";
import { taskName } from "../../../notes/names.ts";
import { isTaskStatus } from "../../../notes/task/statuses.ts";
import type { Key } from "../../keys.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { announce } from "../../notices.ts";
import { route } from "../../route.ts";
import { can } from "../../state.ts";
import { type Call, changeAll } from "./change-all.ts";
import { cardsIn, columnAt, focusedCard, focusedPath } from "./focus.ts";
import { showMoves } from "./moves.ts";
import { newOrders } from "./place.ts";
import { columnTasks } from "./selection.ts";
import type { Move } from "./tasks.ts";

/** How many notes one step may change. */
const MOST = 50;

/** Whether people may put a task in order in a column: done ones are by day, and the address may sort. */
export function canPlace(column: Element, { path, status }: Task): boolean {
  const isSorted = route.get().parameters["sort"] !== undefined;
  const isOwn = status !== "done" && status === column.getAttribute("data-column");
  return isOwn && !isSorted && can("update_doc") && columnTasks(column).some((task) => task.path === path);
}

interface Point {
  clientX: number;
  clientY: number;
}

/** Shows with a line where cards would go; returns before how many others that is. */
export function showLine(column: Element, moved: readonly Task[], { clientX, clientY }: Point): number {
  hideLine(column);
  const cards = cardsIn(column).filter((card) => !moved.some(({ path }) => path === card.dataset["path"]));
  const boxes = cards.map((card) => card.getBoundingClientRect());
  // A wide column has several in a row.
  const isGrid = boxes.some(({ top }, index) => top === boxes[index - 1]?.top);
  const at = boxes.findIndex(({ top, bottom, left, width }) =>
    isGrid ? clientY < top || (clientY < bottom && clientX < left + width / 2) : clientY < (top + bottom) / 2,
  );
  const card = at === -1 ? cards.at(-1) : cards[at];
  const [before, after] = isGrid ? ["left", "right"] : ["above", "below"];
  card?.setAttribute("data-line", `${at === -1 ? after : before}`);
  return at === -1 ? cards.length : at;
}

export function hideLine(column: Element): void {
  for (const card of column.querySelectorAll("[data-line]")) card.removeAttribute("data-line");
}

/** Puts tasks of a column before the others from `at` on. */
export function placeTasks(column: Element, moved: readonly Task[], at: number): void {
  const tasks = columnTasks(column);
  const paths = moved.map(({ path }) => path);
  const orders = newOrders(tasks, paths, at);
  const [first] = moved;
  if (orders.size === 0 || first === undefined) return;
  if (orders.size > MOST) return void announce(words.board.tooFar(MOST), true);
  const changed = tasks.filter(({ path }) => orders.has(path));
  const wanted: Record<string, Move> = {};
  for (const { path, status } of changed)
    if (isTaskStatus(status)) wanted[path] = { status, order: orders.get(path) };
  const name = paths.length === 1 ? taskName(first) : words.board.count(paths.length);
  const said = {
    done: () => words.board.placed(name, at + 1, tasks.length),
    failed: () => words.board.notMoved(name),
  };
  const save = ({ path }: Task, call: Call) =>
    call("update_doc", { path, frontmatter: { order: orders.get(path) } });
  showMoves(wanted, () => changeAll(changed, save, said));
}

export function placingKeys(): Key[] {
  const { keys } = words.board;
  const when = () => focusedPlace() !== undefined;
  return [
    { key: "Alt+ArrowUp", label: keys.placeUp, when, run: () => placeCard(-1) },
    { key: "Alt+ArrowDown", label: keys.placeDown, when, run: () => placeCard(1) },
  ];
}

/** Undefined unless the card that has the focus can be put in order. */
function focusedPlace() {
  const column = columnAt(focusedCard());
  if (column === undefined) return undefined;
  const tasks = columnTasks(column);
  const at = tasks.findIndex(({ path }) => path === focusedPath());
  const task = tasks[at];
  return task !== undefined && canPlace(column, task) ? { column, tasks, at, task } : undefined;
}

function placeCard(step: 1 | -1): void {
  const place = focusedPlace();
  if (place === undefined) return;
  const { column, tasks, task, at } = place;
  if (tasks[at + step] !== undefined) placeTasks(column, [task], at + step);
}
