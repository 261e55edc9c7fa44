import { createRequire } from "node:module";
import type { SqlJsStatic } from "sql.js";

export const LIBRARY = "fts5-sql-bundle";

/** The sql.js build with FTS5, from its package. A build of the single file carries it inside instead. */
export async function loadLibrary(): Promise<SqlJsStatic> {
  const { initSqlJs } = createRequire(import.meta.url)(LIBRARY) as { initSqlJs(): Promise<SqlJsStatic> };
  return initSqlJs();
}

/** Whether that package, which is no part of what everybody installs, is there. */
export function hasLibrary(): boolean {
  try {
    createRequire(import.meta.url).resolve(LIBRARY);
    return true;
  } catch {
    return false;
  }
}
