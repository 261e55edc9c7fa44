import type { BindParams, SqlDatabase, SqlValue } from "../sqlite/types.ts";

/*
 * What a statement makes into one text, by `group_concat` or `json_group_array`: fetched at once, it is far cheaper than
 * every column of each row.
 */

/** The JSON that a statement gives. */
export function readJson<T>(db: SqlDatabase, sql: string, params: BindParams): T {
  return JSON.parse(String(firstValue(db, sql, params))) as T;
}

/** The whole numbers that a statement gives, none for NULL. */
export function readNumbers(db: SqlDatabase, sql: string, params: BindParams = []): Int32Array {
  const value = firstValue(db, sql, params);
  return typeof value === "number" ? Int32Array.of(value) : parseNumbers(value);
}

function firstValue(db: SqlDatabase, sql: string, params: BindParams): SqlValue | undefined {
  return db.exec(sql, params)[0]?.values[0]?.[0];
}

function parseNumbers(text: unknown): Int32Array {
  if (typeof text !== "string" || text === "") return new Int32Array(0);
  const numbers = new Int32Array((text.length >> 1) + 1);
  let count = 0;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      numbers[count++] = number;
      number = 0;
    } else number = number * 10 + code - ZERO;
  }
  numbers[count++] = number;
  return numbers.slice(0, count);
}

const COMMA = 44;
const ZERO = 48;
