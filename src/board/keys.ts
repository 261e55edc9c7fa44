import { useEffect } from "preact/hooks";
import { createStore } from "./store.ts";

export interface Key {
  /** As in KeyboardEvent.key, after `Shift+` for keys that type nothing. */
  key: string;
  /** What it does, for the list of keys. */
  label: string;
  /** Whether it works now (default: always). */
  when?(): boolean;
  run(event: KeyboardEvent): void;
}

/** The keys that work now. */
export const keys = createStore<readonly Key[]>([]);

/** Single keys work while a view is shown, except in fields and dialogs. */
export function useKeys(list: readonly Key[]): void {
  useEffect(() => {
    keys.update((active) => [...active, ...list]);
    return () => keys.update((active) => active.filter((key) => !list.includes(key)));
  });
}

const FIELDS = "input:not([type=checkbox]), textarea, select, dialog, [contenteditable], [role=menu]";

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return;
  const name = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key;
  const key = keys.get().findLast((one) => one.key === name && one.when?.() !== false);
  if (key === undefined) return;
  event.preventDefault();
  key.run(event);
});

const COMPOSING = 229;

/** Whether the key is for an input method, as when Enter confirms Japanese text: in Safari only its code says so. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === COMPOSING;
}

/** A key as people write it: `Shift+→`. */
export function keyName(key: string): string {
  return key.replace(/Arrow(Up|Down|Left|Right)/, (_, way: keyof typeof ARROWS) => ARROWS[way]);
}

const ARROWS = { Up: "↑", Down: "↓", Left: "←", Right: "→" };
