import type { RefObject } from "preact";
import { BOARD_STATUSES, type TaskStatus } from "../../../notes/task/statuses.ts";
import type { Key } from "../../keys.ts";
import { words } from "../../language.ts";
import { navigate } from "../../route.ts";
import { can } from "../../state.ts";
import { focusedCard, focusedPath, focusInColumn, focusInNeighbour, hasCards } from "./focus.ts";
import { moveTask, shownTask } from "./moves.ts";
import { clearSelection, selectColumn, selection, selectTo, toggle } from "./selection.ts";
import { columnOf, neighbour } from "./tasks.ts";

interface Targets {
  /** The field that filters by text. */
  text: RefObject<HTMLInputElement | null>;
  create: (() => void) | undefined;
}

/** The keys of the board: those that go to a card work from anywhere, those for a card while it has the focus. */
export function boardKeys({ text, create }: Targets): Key[] {
  const { keys } = words.board;
  const when = () => focusedPath() !== undefined;
  return [
    { key: "ArrowUp", or: "k", label: keys.up, when: hasCards, run: () => focusInColumn(-1) },
    { key: "ArrowDown", or: "j", label: keys.down, when: hasCards, run: () => focusInColumn(1) },
    { key: "ArrowLeft", label: keys.left, when: hasCards, run: () => focusInNeighbour(-1) },
    { key: "ArrowRight", label: keys.right, when: hasCards, run: () => focusInNeighbour(1) },
    ...(can("update_task_status") ? [...movingKeys(when), ...selectingKeys(when)] : []),
    { key: "Enter", label: keys.open, when: isOnCard, run: openCard },
    { key: "f", label: keys.filter, run: () => text.current?.focus() },
    ...(create === undefined ? [] : [{ key: "n", label: words.board.newTask, run: create }]),
  ];
}

function movingKeys(when: () => boolean): Key[] {
  const { keys } = words.board;
  return [
    { key: "Shift+ArrowLeft", label: keys.moveLeft, when, run: () => moveCard(-1) },
    { key: "Shift+ArrowRight", label: keys.moveRight, when, run: () => moveCard(1) },
  ];
}

function selectingKeys(when: () => boolean): Key[] {
  const { keys } = words.board;
  const hasSelection = () => selection.get().size > 0;
  return [
    { key: "x", label: keys.select, when, run: () => toggle(focusedPath() ?? "") },
    { key: "Shift+ArrowDown", label: keys.selectDown, when, run: () => selectStep(1) },
    { key: "Shift+ArrowUp", label: keys.selectUp, when, run: () => selectStep(-1) },
    { key: "Ctrl+a", label: keys.selectColumn, when, run: selectColumn },
    { key: "Escape", label: words.board.clearSelection, when: hasSelection, run: clearSelection },
  ];
}

/** Selects the card that has the focus and the next one. */
function selectStep(step: 1 | -1): void {
  const card = focusedCard();
  if (card !== undefined) selectTo(card);
  focusInColumn(step);
  const next = focusedCard();
  if (next !== undefined) selectTo(next);
}

/** Enter on a link or button inside a card is its own. */
function isOnCard(): boolean {
  return (
    document.activeElement instanceof HTMLElement && document.activeElement.dataset["path"] !== undefined
  );
}

function openCard(): void {
  navigate("document", { path: focusedPath() });
}

function moveCard(step: 1 | -1): void {
  const task = shownTask(focusedPath() ?? "");
  const status = task && neighbour(columnOf(task), step, isShown);
  if (task !== undefined && status !== undefined) moveTask(task, status);
}

/** Where there are no columns, the usual ones count. */
function isShown(status: TaskStatus): boolean {
  const hasColumns = document.querySelector(`[data-column="${BOARD_STATUSES[0]}"]`) !== null;
  return hasColumns ? document.querySelector(`[data-column="${status}"]`) !== null : status !== "review";
}
