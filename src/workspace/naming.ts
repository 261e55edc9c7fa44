import { escapeName } from "../lib/escape.ts";
import type { Log } from "../lib/log.ts";
import { SqliteError } from "../sqlite/error.ts";

export interface Naming {
  log: Log;
  /** Messages already logged: each place is named once. */
  named: Set<string>;
  /** Whether more documents fit into the index. */
  hasRoom: () => boolean;
}

const FULL = "the index is full: what is new is not found by searching, only read by its name";

export function nameOnce({ log, named }: Naming, path: string, reason: string): void {
  const message = messageOf(path, reason);
  if (named.has(message)) return;
  named.add(message);
  log.warn(message);
}

function messageOf(path: string, reason: string): string {
  return `${escapeName(path) || "the workspace"}: ${reason}`;
}

export function nameFull(naming: Naming): void {
  nameOnce(naming, "", FULL);
}

/** Whether a new document has to stay out. What is known is still kept up to date. */
export function isFull(naming: Naming): boolean {
  if (!naming.hasRoom()) nameFull(naming);
  return naming.named.has(messageOf("", FULL));
}

/** Something was deleted: there may be room again. */
export function forgetFull({ named }: Naming): void {
  named.delete(messageOf("", FULL));
}

export function isFullError(error: unknown): boolean {
  return error instanceof SqliteError && !error.fatal && (error.kind === "nomem" || error.kind === "full");
}
