import {
  SQLITE_CONSTRAINT,
  SQLITE_CORRUPT,
  SQLITE_ERROR,
  SQLITE_FULL,
  SQLITE_IOERR_NOMEM,
  SQLITE_MISUSE,
  SQLITE_NOMEM,
  SQLITE_NOTADB,
  SQLITE_RANGE,
} from "./api.ts";

type SqliteErrorKind = "nomem" | "corrupt" | "full" | "constraint" | "syntax" | "misuse" | "other";

export class SqliteError extends Error {
  /** The primary result code (sqlite.org/rescode.html). */
  readonly code: number;
  readonly extendedCode: number;
  readonly kind: SqliteErrorKind;
  /** The engine is lost: all of its databases throw from now on; `engine.renew()` gives a new one. */
  readonly fatal: boolean;

  constructor(message: string, extendedCode: number, options: { fatal?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "SqliteError";
    this.extendedCode = extendedCode;
    this.code = extendedCode & 0xff;
    this.kind = extendedCode === SQLITE_IOERR_NOMEM ? "nomem" : (KINDS.get(this.code) ?? "other");
    this.fatal = options.fatal ?? false;
  }
}

export function misuse(message: string): SqliteError {
  return new SqliteError(message, SQLITE_MISUSE);
}

export function outOfMemory(): SqliteError {
  return new SqliteError("out of memory", SQLITE_NOMEM);
}

const KINDS = new Map<number, SqliteErrorKind>([
  [SQLITE_ERROR, "syntax"],
  [SQLITE_NOMEM, "nomem"],
  [SQLITE_CORRUPT, "corrupt"],
  [SQLITE_NOTADB, "corrupt"],
  [SQLITE_FULL, "full"],
  [SQLITE_CONSTRAINT, "constraint"],
  [SQLITE_MISUSE, "misuse"],
  [SQLITE_RANGE, "misuse"],
]);
