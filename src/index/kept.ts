import { setYoungest } from "../lib/lru.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

interface Kept {
  /** What `total_changes()` was when they were made. */
  changes: number;
  /** In the order of their last use. */
  values: Map<string, unknown>;
}

const MOST = 16;
const kept = new WeakMap<SqlDatabase, Kept>();

/** What `make` gives, kept by a `key` of its own while nothing is written to the index; only what `isWorth` it, if given. */
export function keep<T>(db: SqlDatabase, key: string, make: () => T, isWorth = (_: T) => true): T {
  const values = valuesOf(db);
  const value = values.has(key) ? (values.get(key) as T) : make();
  if (isWorth(value)) setYoungest(values, MOST, [key, value]);
  return value;
}

function valuesOf(db: SqlDatabase): Kept["values"] {
  const changes = totalChanges(db);
  const now = kept.get(db);
  if (now?.changes === changes) return now.values;
  const values = new Map<string, unknown>();
  kept.set(db, { changes, values });
  return values;
}

/** Rows changed since the database was opened, those that FTS5 keeps for itself included. */
export function totalChanges(db: SqlDatabase): number {
  return Number(db.exec("SELECT total_changes()")[0]?.values[0]?.[0]);
}
