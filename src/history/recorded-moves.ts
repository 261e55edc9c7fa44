import { readBackwards } from "./read-log.ts";
import type { Operation } from "./record.ts";
import { versionsOf } from "./versions.ts";

/** Older moves are forgotten. */
const MAX_OPERATIONS = 10_000;

/**
 * Where files are that tools have moved since a time: new paths by those of then. Other machines' changes, which sync brought, are
 * left out: many files that come and go at once are no moves.
 */
export async function recordedMoves(root: string, since: string): Promise<Map<string, string>> {
  const operations: Operation[] = [];
  for await (const operation of readBackwards(root)) {
    if (operation.time < since || operations.length === MAX_OPERATIONS) break;
    if (operation.tool !== "sync") operations.push(operation);
  }
  return composeMoves(operations.reverse());
}

/** What operations, oldest first, did to the places of files. Pure. */
export function composeMoves(operations: readonly Operation[]): Map<string, string> {
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
  const moves = [...origins].flatMap(([to, from]): [string, string][] =>
    from === null || from === to ? [] : [[from, to]],
  );
  return new Map(moves);
}
