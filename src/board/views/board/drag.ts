import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { BOARD_STATUSES, isClosed } from "../../../core/notes/task/statuses.ts";
import type { Task } from "../../model.ts";
import { route } from "../../route.ts";
import { can } from "../../state.ts";
import { cardsIn, columnAt, focusedCard } from "./focus.ts";
import { moveTasks } from "./moves.ts";
import { columnTasks, withSelected } from "./selection.ts";
import { changes, type Move } from "./tasks.ts";

/** Lets people drag the card of the task at `path`. */
export function useDrag(card: RefObject<HTMLElement | null>, path: string): void {
  useEffect(() => {
    const element = card.current;
    if (element === null || !can("update_task_status")) return;
    return draggable({
      element,
      getInitialData: () => ({ tasks: withSelected(path) }),
      onDragStart: () => element.toggleAttribute("data-dragged", true),
      onDrop: () => element.toggleAttribute("data-dragged", false),
    });
  }, [path]);
}

/** Gives the tasks whose cards are dropped on an element what it stands for, and their place among its cards. */
export function useDrop(target: RefObject<HTMLElement | null>, move: Move | undefined): void {
  const key = JSON.stringify(move);
  useEffect(() => {
    const element = target.current;
    if (element === null || move === undefined) return;
    let at: number | undefined;
    const leave = () => {
      element.removeAttribute("data-over");
      hideLine(element);
    };
    return dropTargetForElements({
      element,
      canDrop: ({ source }) =>
        canPlace(element) || draggedTasks(source.data).some((one) => changes(move, one)),
      onDrag: ({ source, location }) => {
        const tasks = draggedTasks(source.data);
        const isMove = tasks.some((task) => changes(move, task));
        element.toggleAttribute("data-over", isMove);
        at = canPlace(element) ? showLine(element, tasks, location.current.input, isMove) : undefined;
      },
      onDragLeave: leave,
      onDrop: ({ source }) => {
        leave();
        const place = at === undefined ? undefined : { tasks: columnTasks(element), at };
        moveTasks(draggedTasks(source.data), move, place);
      },
    });
  }, [key]);
}

/** As they were when the drag began: that is what the person saw. */
function draggedTasks({ tasks }: Record<string, unknown>): Task[] {
  return tasks as Task[];
}

/** Whether people may put tasks in order in a column: closed ones are by day, and the address may sort. */
function canPlace(column: Element): boolean {
  const status = column.getAttribute("data-column");
  const isOpen = !isClosed(status) && BOARD_STATUSES.some((one) => one === status);
  return isOpen && route.get().parameters["sort"] === undefined && can("update_doc");
}

interface Point {
  clientX: number;
  clientY: number;
}

/** Shows with a line where cards would go; returns before how many others. Below the cards of another column they get no place. */
function showLine(column: Element, tasks: readonly Task[], { clientX, clientY }: Point, isMove: boolean) {
  hideLine(column);
  const cards = cardsIn(column).filter(({ dataset }) => !tasks.some(({ path }) => path === dataset["path"]));
  const boxes = cards.map((card) => card.getBoundingClientRect());
  // A wide column has several in a row.
  const isGrid = boxes.some(({ top }, index) => top === boxes[index - 1]?.top);
  const at = boxes.findIndex(({ top, bottom, left, width }) =>
    isGrid ? clientY < top || (clientY < bottom && clientX < left + width / 2) : clientY < (top + bottom) / 2,
  );
  if (at === -1 && isMove) return undefined;
  const [before, after] = isGrid ? ["left", "right"] : ["above", "below"];
  const [card, side] = at === -1 ? [cards.at(-1), after] : [cards[at], before];
  card?.setAttribute("data-line", `${side}`);
  return at === -1 ? cards.length : at;
}

function hideLine(column: Element): void {
  for (const card of column.querySelectorAll("[data-line]")) card.removeAttribute("data-line");
}

/** How the card that has the focus goes a step up (-1) or down (1) in its column; undefined if it cannot. */
export function placeFocused(step: 1 | -1): (() => void) | undefined {
  const card = focusedCard();
  const column = columnAt(card);
  if (column === undefined || !canPlace(column)) return undefined;
  const tasks = columnTasks(column);
  const at = tasks.findIndex(({ path }) => path === card?.dataset["path"]);
  const [task, next] = [tasks[at], tasks[at + step]];
  return task && next && (() => moveTasks([task], {}, { tasks, at: at + step }));
}
