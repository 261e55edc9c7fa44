import type { SqlDatabase } from "../sqlite/types.ts";

interface Kept {
  /** What `total_changes()` was when they were made. */
  changes: number;
  values: Map<string, unknown>;
}

const MOST = 16;
const kept = new WeakMap<SqlDatabase, Kept>();

/** What `make` gives, kept by a `key` of its own while nothing is written to the index. */
export function keep<T>(db: SqlDatabase, key: string, make: () => T): T {
  const values = valuesOf(db);
  if (values.has(key)) return values.get(key) as T;
  const value = make();
  if (values.size >= MOST) values.clear();
  values.set(key, value);
  return value;
}

function valuesOf(db: SqlDatabase): Kept["values"] {
  const changes = Number(db.exec("SELECT total_changes()")[0]?.values[0]?.[0]);
  const now = kept.get(db);
  if (now?.changes === changes) return now.values;
  const values = new Map<string, unknown>();
  kept.set(db, { changes, values });
  return values;
}
