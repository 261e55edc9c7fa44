import { localDate } from "../../../core/lib/clock.ts";
import { BOARD_STATUSES, type TaskStatus } from "../../../core/notes/task/statuses.ts";
import type { Key } from "../../keys.ts";
import { words } from "../../language.ts";
import { navigate } from "../../route.ts";
import { can } from "../../state.ts";
import { copy } from "../document/copy.ts";
import { choosableName, FIELD_KEYS, update } from "./chooser.tsx";
import { placeFocused } from "./drag.ts";
import { focusText } from "./filters.tsx";
import { cardsIn, currentPath, focusedCard, focusInColumn, focusInNeighbour, isOnCard } from "./focus.ts";
import { ask, COPY_KEY } from "./menu.tsx";
import { moveTasks } from "./moves.ts";
import { closePeek, linkTo, peek, peeked } from "./peek/address.ts";
import { chosenTasks, clearSelection, selectColumn, selection, selectTo, toggle } from "./selection.ts";
import { columnOf, neighbour } from "./tasks.ts";

interface BoardKey extends Key {
  /** The key works if this one may be called. */
  tool?: string;
}

/** The keys of the board: those that go to a card work from anywhere, those for a card while it or its panel has the focus. */
export function boardKeys(): BoardKey[] {
  const { keys } = words.board;
  const path = () => currentPath() ?? "";
  const when = () => path() !== "";
  const isChosen = () => chosenTasks().length > 0;
  const plan = () => update(chosenTasks(), () => ({ due: localDate(new Date()) }));
  const all: BoardKey[] = [
    { key: "ArrowUp", or: "k", label: keys.up, when: canGo, run: () => focusInColumn(-1) },
    { key: "ArrowDown", or: "j", label: keys.down, when: canGo, run: () => focusInColumn(1) },
    { key: "ArrowLeft", label: keys.left, when: canGo, run: () => focusInNeighbour(-1) },
    { key: "ArrowRight", label: keys.right, when: canGo, run: () => focusInNeighbour(1) },
    ...movingKeys(isChosen).map((key) => ({ ...key, tool: "update_task_status" })),
    { key: "Enter", or: " ", label: keys.open, when: isOnCard, run: () => peek(path()) },
    { key: "o", label: keys.page, when, run: () => navigate("document", { path: path() }) },
    ...FIELD_KEYS.map(([what, key, tool]) => {
      const paths = () => chosenTasks().map((task) => task.path);
      const run = () => ask(paths(), document.activeElement ?? document.body, what);
      return { key, label: choosableName(what), when: isChosen, run, tool };
    }),
    { key: "t", label: keys.today, when: isChosen, run: plan, tool: "update_task" },
    { key: COPY_KEY, label: words.board.copyLink, when, run: () => void copy(linkTo(path())) },
    { key: "Escape", label: keys.close, when: () => peeked() !== undefined, run: closePeek },
    { key: "f", label: words.board.textHint, run: focusText },
  ];
  return all.filter(({ tool }) => tool === undefined || can(tool));
}

/** Arrows scroll the panel while it has the focus. */
function canGo({ key }: KeyboardEvent): boolean {
  const isInPanel = document.activeElement?.closest(".peek") !== null;
  return cardsIn(document).length > 0 && (key.length === 1 || !isInPanel);
}

/** Those that move and select. */
function movingKeys(when: () => boolean): Key[] {
  const { keys, clearSelection: clear } = words.board;
  const onCard = () => focusedCard() !== undefined;
  return [
    { key: "Shift+ArrowLeft", label: keys.moveLeft, when, run: () => moveCard(-1) },
    { key: "Shift+ArrowRight", label: keys.moveRight, when, run: () => moveCard(1) },
    placingKey("Alt+ArrowUp", keys.placeUp, -1),
    placingKey("Alt+ArrowDown", keys.placeDown, 1),
    { key: "x", label: keys.select, when: onCard, run: () => toggle(currentPath() ?? "") },
    { key: "Shift+ArrowDown", label: keys.selectDown, when: onCard, run: () => selectStep(1) },
    { key: "Shift+ArrowUp", label: keys.selectUp, when: onCard, run: () => selectStep(-1) },
    { key: "Ctrl+a", label: keys.selectColumn, when: onCard, run: selectColumn },
    { key: "Escape", label: clear, when: () => selection.get().size > 0, run: clearSelection },
  ];
}

function placingKey(key: string, label: string, step: 1 | -1): Key {
  return { key, label, when: () => placeFocused(step) !== undefined, run: () => placeFocused(step)?.() };
}

/** Selects the card that has the focus and the next one. */
function selectStep(step: 1 | -1): void {
  const card = focusedCard();
  if (card !== undefined) selectTo(card);
  const next = focusInColumn(step);
  if (next !== undefined) selectTo(next);
}

/** The tasks of a selection go where the one that has the focus goes. */
function moveCard(step: 1 | -1): void {
  const tasks = chosenTasks();
  const task = tasks.find(({ path }) => path === currentPath()) ?? tasks[0];
  const status = task && neighbour(columnOf(task), step, isShown);
  if (status !== undefined) moveTasks(tasks, { status });
}

/** Where there are no columns, the usual ones count. */
function isShown(status: TaskStatus): boolean {
  const hasColumns = document.querySelector(`[data-column="${BOARD_STATUSES[0]}"]`) !== null;
  return hasColumns ? document.querySelector(`[data-column="${status}"]`) !== null : status !== "review";
}
