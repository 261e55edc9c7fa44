import type { RefObject } from "preact";
import { BOARD_STATUSES, type TaskStatus } from "../../../notes/task/statuses.ts";
import type { Key } from "../../keys.ts";
import { words } from "../../language.ts";
import { navigate } from "../../route.ts";
import { can } from "../../state.ts";
import { copy } from "../document/copy.ts";
import { ask } from "./asked.ts";
import { choosableName } from "./chooser.tsx";
import { focusText } from "./filters.tsx";
import {
  currentCard,
  currentPath,
  focusedCard,
  focusInColumn,
  focusInNeighbour,
  hasCards,
  isOnCard,
} from "./focus.ts";
import { moveTask, shownTask } from "./moves.ts";
import { closePeek, linkTo, peek, peeked } from "./peek/address.ts";
import { placingKeys } from "./placing.ts";
import { clearSelection, selectColumn, selection, selectTo, toggle } from "./selection.ts";
import { columnOf, neighbour } from "./tasks.ts";

interface Targets {
  /** The field that filters by text. */
  text: RefObject<HTMLInputElement | null>;
  create: (() => void) | undefined;
}

export const FIELD_KEYS = [
  ["status", "s"],
  ["priority", "p"],
  ["owner", "a"],
  ["due", "d"],
  ["tags", "l"],
] as const;
export const COPY_KEY = "c";

/** The keys of the board: those that go to a card work from anywhere, those for a card while it or its panel has the focus. */
export function boardKeys({ text, create }: Targets): Key[] {
  const { keys } = words.board;
  const when = () => currentPath() !== undefined;
  return [
    { key: "ArrowUp", or: "k", label: keys.up, when: canGo, run: () => focusInColumn(-1) },
    { key: "ArrowDown", or: "j", label: keys.down, when: canGo, run: () => focusInColumn(1) },
    { key: "ArrowLeft", label: keys.left, when: canGo, run: () => focusInNeighbour(-1) },
    { key: "ArrowRight", label: keys.right, when: canGo, run: () => focusInNeighbour(1) },
    ...(can("update_task_status") ? [...movingKeys(when), ...placingKeys(), ...selectingKeys()] : []),
    { key: "Enter", or: " ", label: keys.open, when: isOnCard, run: () => peek(currentPath() ?? "") },
    { key: "o", label: keys.page, when, run: () => navigate("document", { path: currentPath() }) },
    ...(can("update_task") ? fieldKeys(when) : []),
    { key: COPY_KEY, label: words.board.copyLink, when, run: () => void copy(linkTo(currentPath() ?? "")) },
    { key: "Escape", label: keys.close, when: () => peeked() !== undefined, run: closePeek },
    { key: "f", label: words.board.textHint, run: () => focusText(text) },
    ...(create === undefined ? [] : [{ key: "n", label: words.board.newTask, run: create }]),
  ];
}

/** Arrows scroll the panel while it has the focus. */
function canGo({ key }: KeyboardEvent): boolean {
  return hasCards() && (key.length === 1 || document.activeElement?.closest(".peek") === null);
}

function movingKeys(when: () => boolean): Key[] {
  const { keys } = words.board;
  return [
    { key: "Shift+ArrowLeft", label: keys.moveLeft, when, run: () => moveCard(-1) },
    { key: "Shift+ArrowRight", label: keys.moveRight, when, run: () => moveCard(1) },
  ];
}

function fieldKeys(when: () => boolean): Key[] {
  return FIELD_KEYS.map(([what, key]) => ({
    key,
    label: choosableName(what),
    when,
    run: () => ask(currentPath() ?? "", document.activeElement ?? document.body, what),
  }));
}

function selectingKeys(): Key[] {
  const { keys } = words.board;
  const when = () => focusedCard() !== undefined;
  const hasSelection = () => selection.get().size > 0;
  return [
    { key: "x", label: keys.select, when, run: () => toggle(currentPath() ?? "") },
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
  const next = currentCard();
  if (next !== undefined) selectTo(next);
}

function moveCard(step: 1 | -1): void {
  const task = shownTask(currentPath() ?? "");
  const status = task && neighbour(columnOf(task), step, isShown);
  if (task !== undefined && status !== undefined) moveTask(task, status);
}

/** Where there are no columns, the usual ones count. */
function isShown(status: TaskStatus): boolean {
  const hasColumns = document.querySelector(`[data-column="${BOARD_STATUSES[0]}"]`) !== null;
  return hasColumns ? document.querySelector(`[data-column="${status}"]`) !== null : status !== "review";
}
