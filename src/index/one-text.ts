import type { BindParams, SqlDatabase, SqlValue } from "../sqlite/types.ts";

/*
 * What a statement makes into one text, by `group_concat` or `json_group_array`: fetched at once, it is far cheaper than
 * every column of each row.
 */

/**
 * The chunks of a JSON list of their numbers, as `c`, for FROM: `id IN (SELECT value …)` makes a table of the list first,
 * and takes up to three times as long.
 */
export const LISTED_CHUNKS = "json_each(?) listed CROSS JOIN chunks c ON c.id = listed.value";

/** The JSON that a statement gives. */
export function readJson<T>(db: SqlDatabase, sql: string, params: BindParams): T {
  return JSON.parse(String(firstValue(db, sql, params))) as T;
}

/** The whole numbers that a statement gives, none for NULL. */
export function readNumbers(db: SqlDatabase, sql: string, params: BindParams = []): Int32Array {
  return new Int32Array(JSON.parse(`[${firstValue(db, sql, params) ?? ""}]`));
}

function firstValue(db: SqlDatabase, sql: string, params: BindParams): SqlValue | undefined {
  return db.exec(sql, params)[0]?.values[0]?.[0];
}
