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
} from "./codes.ts";

type SqliteErrorKind = "nomem" | "corrupt" | "full" | "constraint" | "syntax" | "misuse" | "other";

/** Whatever went wrong in SQLite, or in the way it was used. */
export class SqliteError extends Error {
  /** The primary result code (sqlite.org/rescode.html). */
  readonly code: number;
  readonly extendedCode: number;
  readonly kind: SqliteErrorKind;
  /** The engine itself is lost: every database of it throws from now on; `engine.renew()` gives a new one. */
  readonly fatal: boolean;

  constructor(message: string, extendedCode: number, options: { fatal?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "SqliteError";
    this.extendedCode = extendedCode;
    this.code = extendedCode & 0xff;
    this.kind = kindOf(extendedCode);
    this.fatal = options.fatal ?? false;
  }
}

export function misuse(message: string): SqliteError {
  return new SqliteError(message, SQLITE_MISUSE);
}

export function outOfMemory(): SqliteError {
  return new SqliteError("out of memory", SQLITE_NOMEM);
}

function kindOf(extendedCode: number): SqliteErrorKind {
  if (extendedCode === SQLITE_IOERR_NOMEM) return "nomem";
  switch (extendedCode & 0xff) {
    case SQLITE_ERROR:
      return "syntax";
    case SQLITE_NOMEM:
      return "nomem";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "corrupt";
    case SQLITE_FULL:
      return "full";
    case SQLITE_CONSTRAINT:
      return "constraint";
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      return "misuse";
    default:
      return "other";
  }
}
