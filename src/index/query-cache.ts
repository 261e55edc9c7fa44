import { setMostRecent } from "../lib/collections.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

interface Cache {
  /** What `total_changes()` was when the values were made. */
  changes: number;
  /** In the order of their last use. */
  values: Map<string, unknown>;
}

const MAX_VALUES = 16;
const caches = new WeakMap<SqlDatabase, Cache>();

/** The result of `make`, cached under `key` until the index changes if it `isWorthCaching`. */
export function cached<T>(db: SqlDatabase, key: string, make: () => T, isWorthCaching = (_: T) => true): T {
  const values = valuesOf(db);
  const value = values.has(key) ? (values.get(key) as T) : make();
  if (isWorthCaching(value)) setMostRecent(values, MAX_VALUES, [key, value]);
  return value;
}

function valuesOf(db: SqlDatabase): Cache["values"] {
  const changes = totalChanges(db);
  const cache = caches.get(db);
  if (cache?.changes === changes) return cache.values;
  const values = new Map<string, unknown>();
  caches.set(db, { changes, values });
  return values;
}

/** Rows changed since the database was opened, FTS5's own included. */
export function totalChanges(db: SqlDatabase): number {
  return Number(db.exec("SELECT total_changes()")[0]?.values[0]?.[0]);
}
