import { words } from "./language.ts";
import { ConnectionError } from "./mcp-client.ts";
import { createStore } from "./store.ts";

export interface Notice {
  id: number;
  text: string;
  isProblem: boolean;
  action: Action | undefined;
}

/** What a notice offers to do. */
export interface Action {
  label: string;
  run(): void;
}

const MOST = 3;
const SHOWN_MS = 5000;
/** With something to do about it. */
const OFFERED_MS = 15_000;
const BUSY = ".notices:is(:hover, :focus-within)";
let lastId = 0;

/** What the page tells: shown in a corner, and read aloud by screen readers. */
export const notices = createStore<readonly Notice[]>([]);

/** The same text stands once. Returns the notice's id. */
export function announce(text: string, isProblem = false, action?: Action): number {
  const notice = { id: ++lastId, text, isProblem, action };
  const isOther = (shown: Notice) => shown.text !== text || shown.action !== undefined;
  notices.update((shown) => [...shown.filter(isOther).slice(1 - MOST), notice]);
  if (!isProblem) dismissLater(notice.id, action === undefined ? SHOWN_MS : OFFERED_MS);
  return notice.id;
}

/** Not from under the pointer or the focus. */
function dismissLater(id: number, wait: number): void {
  setTimeout(() => {
    if (document.querySelector(BUSY) === null) dismiss(id);
    else dismissLater(id, SHOWN_MS);
  }, wait);
}

export function dismiss(id: number): void {
  notices.update((shown) => shown.filter((notice) => notice.id !== id));
}

/** Shows what went wrong; `what` says first what was not done. */
export function report(error: unknown, what = ""): void {
  announce([what, messageOf(error)].filter((text) => text !== "").join(" "), true);
}

export function messageOf(error: unknown): string {
  if (error instanceof ConnectionError) return words.app.unreachable;
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
