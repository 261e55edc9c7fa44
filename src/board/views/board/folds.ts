import { useRef } from "preact/hooks";
import { isClosed } from "../../../core/notes/task/statuses.ts";
import { useToday } from "../../clock.ts";
import { addDays, WEEK } from "../../due.ts";
import { browserStorage } from "../../storage.ts";
import { createStore, useStore } from "../../store.ts";
import type { Column, Filter } from "./tasks.ts";

const KEY = "vibe-mcp-folds";

/** What someone folded (`1`) or opened (`0`) in this browser: columns by their status. */
const folds = createStore<Readonly<Record<string, string>>>(
  Object.fromEntries(new URLSearchParams(browserStorage.getItem(KEY) ?? "")),
);

export function fold(name: string, isFolded: boolean): void {
  folds.update((all) => ({ ...all, [name]: isFolded ? "1" : "0" }));
  browserStorage.setItem(KEY, String(new URLSearchParams(folds.get())));
}

/**
 * The columns that are strips: those that someone folded, and by themselves the quiet ones of a board with cards. A column that
 * becomes quiet stays open until another filter, so that nothing jumps while someone looks.
 */
export function useFolded(columns: readonly Column[], filter: Filter): (status: Column["status"]) => boolean {
  const chosen = useStore(folds, (value) => value);
  const today = useToday();
  const open = useRef({ filter, statuses: new Set<string>() });
  if (open.current.filter !== filter) open.current = { filter, statuses: new Set() };
  const { statuses } = open.current;
  for (const column of columns) if (!isQuiet(column, today)) statuses.add(column.status);
  const hasCards = columns.some(({ tasks }) => tasks.length > 0);
  return (status) => {
    const own = chosen[status];
    return own === undefined ? hasCards && !statuses.has(status) : own === "1";
  };
}

/** Without cards; closed, without a change for a week. */
export function isQuiet({ status, tasks }: Column, today: string): boolean {
  const recent = addDays(today, -WEEK);
  return tasks.every(({ updated }) => isClosed(status) && updated < recent);
}
