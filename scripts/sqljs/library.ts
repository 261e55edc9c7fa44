import { createRequire } from "node:module";
import type { SqlJsStatic } from "sql.js";

export const LIBRARY = "fts5-sql-bundle";

/** The sql.js build with FTS5, from its package; the built file contains it instead. */
export async function loadLibrary(): Promise<SqlJsStatic> {
  const { initSqlJs } = createRequire(import.meta.url)(LIBRARY) as { initSqlJs(): Promise<SqlJsStatic> };
  return initSqlJs();
}

/** Whether that package is installed. */
export function hasLibrary(): boolean {
  try {
    createRequire(import.meta.url).resolve(LIBRARY);
    return true;
  } catch {
    return false;
  }
}
