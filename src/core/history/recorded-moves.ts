import { readBackwards } from "./read-log.ts";
import type { Operation } from "./record.ts";
import { versionsOf } from "./versions.ts";

/** Older moves are forgotten. */
const MAX_OPERATIONS = 10_000;

/** What tools did to the places of files. */
export interface Recorded {
  /** Where files are now, by their paths then. */
  moves: ReadonlyMap<string, string>;
  /** Paths whose file then is gone; one that is there now is another. */
  left: ReadonlySet<string>;
}

/**
 * What is recorded since a time. Other machines' changes, which sync brought, are
 * left out: many files that come and go at once are no moves.
 */
export async function recordedMoves(root: string, since: string): Promise<Recorded> {
  const operations: Operation[] = [];
  for await (const operation of readBackwards(root)) {
    if (operation.time < since || operations.length === MAX_OPERATIONS) break;
    if (operation.tool !== "sync") operations.push(operation);
  }
  return composeMoves(operations.reverse());
}

/** What operations, oldest first, did to the places of files. Pure. */
export function composeMoves(operations: readonly Operation[]): Recorded {
  /** The path then of what is at a path now; null for what is new. */
  const origins = new Map<string, string | null>();
  const originOf = (path: string) => (origins.has(path) ? (origins.get(path) ?? null) : path);
  for (const operation of operations) {
    const versions = versionsOf(operation);
    const arrived = versions.flatMap(({ path, moved_from: from, before }): [string, string | null][] =>
      before === null ? [[path, from === undefined ? null : originOf(from)]] : [],
    );
    for (const { path, after } of versions) if (after === null) origins.set(path, null);
    for (const [path, origin] of arrived) origins.set(path, origin);
  }
  const moves = new Map<string, string>();
  const left = new Set<string>();
  for (const [path, origin] of origins)
    if (origin === null) left.add(path);
    else if (origin !== path) moves.set(origin, path);
  return { moves, left };
}
