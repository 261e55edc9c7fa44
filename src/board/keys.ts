import { useLayoutEffect } from "preact/hooks";
import { createStore } from "./store.ts";

export interface Key {
  /** As in KeyboardEvent.key, after `Shift+` or `Alt+` for keys that type nothing; `Ctrl+z` is also ⌘Z. */
  key: string;
  /** Another key that does the same. */
  or?: string;
  /** What it does, for the list of keys. */
  label: string;
  /** Whether it works now (default: always). */
  when?(event: KeyboardEvent): boolean;
  /** Also where: in lists to choose from, or in every field (default: neither). */
  also?: "choices" | "fields";
  /** Whether it goes before the same key of the page. */
  isFirst?: boolean;
  run(event: KeyboardEvent): void;
}

/** The keys that work now. */
export const keys = createStore<readonly Key[]>([]);

/** Keys work as soon as a view is shown, except in dialogs and, unless they say so, in fields. */
export function useKeys(list: readonly Key[]): void {
  useLayoutEffect(() => {
    keys.update((active) => [...active, ...list]);
    return () => keys.update((active) => active.filter((key) => !list.includes(key)));
  });
}

const TEXTS = "input:not([type=checkbox]), textarea, [contenteditable]";

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isComposing(event)) return;
  const name = nameOf(event);
  const fitting = keys.get().filter((one) => (one.key === name || one.or === name) && works(one, event));
  const key = fitting.findLast(({ isFirst }) => isFirst) ?? fitting.at(-1);
  if (key === undefined) return;
  event.preventDefault();
  key.run(event);
});

function nameOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  if (altKey) return ctrlKey || metaKey || shiftKey ? "" : `Alt+${key}`;
  if (ctrlKey || metaKey)
    return `Ctrl+${shiftKey ? "Shift+" : ""}${key.length > 1 ? key : key.toLowerCase()}`;
  return shiftKey && key.length > 1 ? `Shift+${key}` : key;
}

function works({ also, when }: Key, event: KeyboardEvent): boolean {
  const { target } = event;
  // A closed dialog has the focus until its view is drawn again.
  const place = target instanceof Element && target.closest("dialog:not([open])") === null ? target : null;
  const isIn = (places: string) => place?.closest(places) != null;
  if (isIn("dialog, [role=menu]")) return false;
  if (isIn(TEXTS) && also !== "fields") return false;
  if (isIn("select") && also === undefined) return false;
  return when?.(event) !== false;
}

const COMPOSING = 229;

/** Whether the key is for an input method, as when Enter confirms Japanese text: in Safari only its code says so. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === COMPOSING;
}

/** A key as people write it: `Shift+→`. */
export function keyName(key: string): string {
  return key
    .replace(" ", "Space")
    .replace(/Arrow(Up|Down|Left|Right)/, (_, way: keyof typeof ARROWS) => ARROWS[way])
    .replace(/(?<=\+)[a-z]$/, (letter) => letter.toUpperCase());
}

const ARROWS = { Up: "↑", Down: "↓", Left: "←", Right: "→" };
