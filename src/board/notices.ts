import { words } from "./language.ts";
import { ConnectionError } from "./mcp-client.ts";
import { createStore } from "./store.ts";

export interface Notice {
  id: number;
  text: string;
  isProblem: boolean;
}

const MOST = 3;
const SHOWN_MS = 8000;
let lastId = 0;

/** What the page tells: shown in a corner, and read aloud by screen readers. */
export const notices = createStore<readonly Notice[]>([]);

export function announce(text: string, isProblem = false): void {
  const notice = { id: ++lastId, text, isProblem };
  notices.update((shown) => [...shown.slice(1 - MOST), notice]);
  if (!isProblem) setTimeout(() => dismiss(notice.id), SHOWN_MS);
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
