import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { byUrgency } from "../../../core/notes/task/order.ts";
import type { Task } from "../../model.ts";
import { createStore, useStore } from "../../store.ts";
import { cardsIn, columnAt, currentPath, focusedCard } from "./focus.ts";
import { shownTask } from "./moves.ts";

/** The paths of the tasks that are selected. */
export const selection = createStore<ReadonlySet<string>>(new Set());

/** Where a range begins: the card that was selected last. */
let anchor: string | undefined;

/** All tasks of a column, also those whose cards are not there yet. */
const tasksOf = new WeakMap<Element, readonly Task[]>();

export function useColumnTasks(column: RefObject<Element | null>, tasks: readonly Task[]): void {
  useLayoutEffect(() => {
    if (column.current !== null) tasksOf.set(column.current, tasks);
  }, [tasks]);
}

export function columnTasks(column: Element): readonly Task[] {
  return tasksOf.get(column) ?? [];
}

export function useSelected(path: string): boolean {
  return useStore(selection, (paths) => paths.has(path));
}

/** The tasks that a card stands for: those of the selection, in the order of columns, if it is selected. */
export function withSelected(path: string): Task[] {
  const paths = selection.get();
  return tasksAt(paths.has(path) ? [...paths] : [path]);
}

/** The tasks that a key means: those of the selection first. */
export function chosenTasks(): Task[] {
  const paths = [...selection.get()];
  return tasksAt(paths.length > 0 ? paths : [currentPath() ?? ""]);
}

function tasksAt(paths: readonly string[]): Task[] {
  return byUrgency(paths.flatMap((path) => shownTask(path) ?? []));
}

export function clearSelection(): void {
  selection.update((paths) => (paths.size === 0 ? paths : new Set()));
}

/** What the board no longer shows is not selected either: no one changes what they do not see. */
export function keepSelected(shown: readonly Task[]): void {
  if (selection.get().size === 0) return;
  const known = new Set(shown.map(({ path }) => path));
  selection.update((before) => {
    const kept = [...before].filter((path) => known.has(path));
    return kept.length === before.size ? before : new Set(kept);
  });
}

export function toggle(path: string): void {
  anchor = path;
  selection.update((before) => {
    const paths = new Set(before);
    if (!paths.delete(path)) paths.add(path);
    return paths;
  });
}

/** Selects all from the last selected card to this one if both are in one column, else this one. */
export function selectTo(card: HTMLElement): void {
  const cards = cardsIn(columnAt(card));
  const to = cards.indexOf(card);
  const from = cards.findIndex((one) => one.dataset["path"] === anchor);
  const range = from === -1 ? [card] : cards.slice(Math.min(from, to), Math.max(from, to) + 1);
  if (from === -1) anchor = card.dataset["path"];
  add(range.flatMap((one) => one.dataset["path"] ?? []));
}

/** Selects the whole column of the card that has the focus. */
export function selectColumn(): void {
  const column = columnAt(focusedCard());
  add(column === undefined ? [] : columnTasks(column).map(({ path }) => path));
}

function add(paths: readonly string[]): void {
  selection.update((before) => new Set([...before, ...paths]));
}
