import { words } from "./language.ts";
import { ConnectionError } from "./mcp-client.ts";
import { createStore } from "./store.ts";

export interface Notice {
  id: number;
  text: string;
  isProblem: boolean;
  /** One line, unless someone points at it. */
  isFolded: boolean;
  action: Action | undefined;
}

/** What a notice offers to do. */
export interface Action {
  label: string;
  run(): void;
}

const MOST = 3;
const SHOWN_MS = 5000;
/** With something to do about it; folded by then. */
const OFFERED_MS = 15_000;
const BUSY = ".notices:is(:hover, :focus-within)";
let lastId = 0;

/** What the page tells: shown in a corner, and read aloud by screen readers. */
export const notices = createStore<readonly Notice[]>([]);

/** The same text stands once. Returns the notice's id. */
export function announce(text: string, isProblem = false, action?: Action): number {
  const id = ++lastId;
  const notice = { id, text, isProblem, isFolded: false, action };
  notices.update((shown) => [...shown.filter((other) => other.text !== text).slice(1 - MOST), notice]);
  const isBrief = !isProblem && action === undefined;
  later(SHOWN_MS, () => (isBrief ? dismiss(id) : fold(id)));
  if (!isProblem && !isBrief) later(OFFERED_MS, () => dismiss(id));
  return id;
}

/** Not under the pointer or the focus. */
function later(wait: number, run: () => void): void {
  setTimeout(() => {
    if (document.querySelector(BUSY) === null) run();
    else later(SHOWN_MS, run);
  }, wait);
}

function fold(id: number): void {
  notices.update((shown) => shown.map((one) => (one.id === id ? { ...one, isFolded: true } : one)));
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
