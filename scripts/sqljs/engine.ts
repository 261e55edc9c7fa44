import type { Database, SqlJsStatic, Statement } from "sql.js";
import {
  SQLITE_CORRUPT,
  SQLITE_ERROR,
  SQLITE_FULL,
  SQLITE_NOMEM,
  SQLITE_NOTADB,
} from "../../src/sqlite/codes.ts";
import type { Engine } from "../../src/sqlite/engine.ts";
import { SqliteError } from "../../src/sqlite/error.ts";
import type { BindParams, SqlDatabase, SqlResult, SqlStatement } from "../../src/sqlite/types.ts";
import { loadLibrary } from "./library.ts";

export type { Engine };

/** Replaces `src/sqlite/engine.ts` with a build of sql.js: the same rows, errors and files. */
export async function openEngine(): Promise<Engine> {
  const library = await withoutListeners(loadLibrary);
  return {
    Database: class extends SqlJsDatabase {
      constructor(bytes?: Uint8Array | null) {
        super(library, bytes);
      }
    },
    memory: () => ({ used: 0, reserved: heapOf(library) }),
    hasRoom: () => true,
    renew: openEngine,
  };
}

/** Emscripten's start-up code listens for unhandled errors of the process, which are ours to handle. */
async function withoutListeners<T>(run: () => Promise<T>): Promise<T> {
  const events = ["uncaughtException", "unhandledRejection"] as const;
  const before = events.map((event) => process.listeners(event as "uncaughtException"));
  const result = await run();
  for (const [at, event] of events.entries()) {
    for (const listener of process.listeners(event as "uncaughtException"))
      if (before[at]?.includes(listener) === false) process.removeListener(event, listener);
  }
  return result;
}

class SqlJsDatabase implements SqlDatabase {
  readonly #db: Database;

  constructor(library: SqlJsStatic, bytes?: Uint8Array | null) {
    this.#db = translateErrors(() => new library.Database(bytes));
  }

  run(sql: string, params?: BindParams): this {
    translateErrors(() => this.#db.run(sql, params as never));
    return this;
  }

  exec(sql: string, params?: BindParams): SqlResult[] {
    return translateErrors(() => this.#db.exec(sql, params as never)) as SqlResult[];
  }

  prepare(sql: string): SqlStatement {
    return new SqlJsStatement(translateErrors(() => this.#db.prepare(sql)));
  }

  /** It reopens the database: earlier statements are lost. */
  export(): Uint8Array {
    return translateErrors(() => this.#db.export());
  }

  close(): void {
    translateErrors(() => this.#db.close());
  }
}

class SqlJsStatement implements SqlStatement {
  readonly #statement: Statement;

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  bind(params?: BindParams): boolean {
    return translateErrors(() => this.#statement.bind(params as never));
  }

  step(): boolean {
    return translateErrors(() => this.#statement.step());
  }

  get(params?: BindParams) {
    return translateErrors(() => this.#statement.get(params as never)) as ReturnType<SqlStatement["get"]>;
  }

  run(params?: BindParams): void {
    translateErrors(() => this.#statement.run(params as never));
  }

  reset(): void {
    this.#statement.reset();
  }

  free(): boolean {
    return this.#statement.free();
  }
}

/** sql.js throws SQLite's message without its code. */
const CODES: readonly [RegExp, number][] = [
  [/malformed|corrupt/, SQLITE_CORRUPT],
  [/not a database/, SQLITE_NOTADB],
  [/out of memory|allocat/, SQLITE_NOMEM],
  [/is full/, SQLITE_FULL],
];

function translateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const code = CODES.find(([pattern]) => pattern.test(message))?.[1] ?? SQLITE_ERROR;
    throw new SqliteError(message, code, { cause });
  }
}

/** Bytes of its memory; 0 if the build does not report it. */
function heapOf(library: SqlJsStatic): number {
  const { HEAPU8 } = library as SqlJsStatic & { HEAPU8?: Uint8Array };
  return HEAPU8?.length ?? 0;
}
