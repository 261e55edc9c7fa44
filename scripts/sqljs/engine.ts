import type { SqlJsStatic } from "sql.js";
import {
  SQLITE_CORRUPT,
  SQLITE_ERROR,
  SQLITE_FULL,
  SQLITE_NOMEM,
  SQLITE_NOTADB,
} from "../../src/sqlite/api.ts";
import type { Engine } from "../../src/sqlite/engine.ts";
import { SqliteError } from "../../src/sqlite/error.ts";
import type { BindParams, SqlDatabase, SqlResult, SqlStatement, SqlValue } from "../../src/sqlite/types.ts";
import { loadLibrary } from "./library.ts";

export type { Engine };

/** Stands in for `src/sqlite/engine.ts` on a literal build of sql.js: the same rows, the same errors, the same files. */
export async function openEngine(): Promise<Engine> {
  const library = await withoutListeners(loadLibrary);
  return {
    Database: class extends SqlJsDatabase {
      constructor(bytes?: Uint8Array | null) {
        super(library, bytes);
      }
    },
    memory: () => ({ used: 0, reserved: heapOf(library) }),
    hasMemory: () => true,
    renew: openEngine,
  };
}

/** Emscripten's start-up code listens for the process's unhandled errors, which are ours to handle. */
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

/** Our own interfaces as types: that sql.js fits them is checked by the compiler. */
class SqlJsDatabase implements SqlDatabase {
  readonly #db: SqlDatabase;

  constructor({ Database }: Pick<Engine, "Database">, bytes?: Uint8Array | null) {
    this.#db = translated(() => new Database(bytes));
  }

  run(sql: string, params?: BindParams): this {
    translated(() => this.#db.run(sql, params));
    return this;
  }

  exec(sql: string, params?: BindParams): SqlResult[] {
    return translated(() => this.#db.exec(sql, params));
  }

  prepare(sql: string): SqlStatement {
    return new SqlJsStatement(translated(() => this.#db.prepare(sql)));
  }

  /** Also closes and reopens the database, which frees all its statements. */
  export(): Uint8Array {
    return translated(() => this.#db.export());
  }

  close(): void {
    translated(() => this.#db.close());
  }
}

class SqlJsStatement implements SqlStatement {
  readonly #statement: SqlStatement;

  constructor(statement: SqlStatement) {
    this.#statement = statement;
  }

  bind(params?: BindParams): boolean {
    return translated(() => this.#statement.bind(params));
  }

  step(): boolean {
    return translated(() => this.#statement.step());
  }

  get(params?: BindParams): SqlValue[] {
    return translated(() => this.#statement.get(params));
  }

  run(params?: BindParams): void {
    translated(() => this.#statement.run(params));
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

function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const code = CODES.find(([pattern]) => pattern.test(message))?.[1] ?? SQLITE_ERROR;
    throw new SqliteError(message, code, { cause });
  }
}

/** Bytes of its memory; 0 if the build does not export it. */
function heapOf(library: SqlJsStatic): number {
  const { HEAPU8 } = library as SqlJsStatic & { HEAPU8?: Uint8Array };
  return HEAPU8?.length ?? 0;
}
