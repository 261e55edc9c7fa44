import type { SqlDatabase } from "../sqlite/types.ts";

interface Cache {
  /** What `total_changes()` was when the values were made. */
  changes: number;
  /** In the order of their last use. */
  values: Map<string, { value: unknown; size: number }>;
  /** The sum of their sizes. */
  size: number;
}

const MAX_SIZE = 16;
const caches = new WeakMap<SqlDatabase, Cache>();

/** The result of `make`, cached under `key` until the index changes or others need the room: 1 is all documents of a project. */
export function cached<T>(db: SqlDatabase, key: string, make: () => T, sizeOf = (_: T) => 1): T {
  const cache = cacheOf(db);
  const { values } = cache;
  const known = values.get(key);
  if (known !== undefined) {
    values.delete(key);
    values.set(key, known);
    return known.value as T;
  }
  const value = make();
  const size = sizeOf(value);
  values.set(key, { value, size });
  cache.size += size;
  for (const [oldest, { size }] of values) {
    if (cache.size <= MAX_SIZE) break;
    values.delete(oldest);
    cache.size -= size;
  }
  return value;
}

function cacheOf(db: SqlDatabase): Cache {
  const changes = totalChanges(db);
  const cache = caches.get(db);
  if (cache?.changes === changes) return cache;
  const empty = { changes, values: new Map(), size: 0 };
  caches.set(db, empty);
  return empty;
}

/** Rows changed since the database was opened, FTS5's own included. */
export function totalChanges(db: SqlDatabase): number {
  return Number(db.exec("SELECT total_changes()")[0]?.values[0]?.[0]);
}
