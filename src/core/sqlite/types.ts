/** A value read from a column. An integer beyond 2^53 arrives as the nearest number, as in sql.js. */
export type SqlValue = number | string | Uint8Array | null;

/**
 * By position, or by name with its prefix (`:name`, `@name`, `$name`). Missing values are NULL; unknown names are ignored. A safe
 * integer is stored as INTEGER, any other number as REAL, and NaN as NULL; text as UTF-8, in which a lone surrogate becomes U+FFFD.
 */
export type BindParams = SqlValue[] | Record<string, SqlValue> | null;

export interface SqlResult {
  columns: string[];
  values: SqlValue[][];
}

/** The statement of sql.js, as far as the index uses it. */
export interface SqlStatement {
  /** Resets the statement and replaces its values. */
  bind(params?: BindParams): boolean;
  /** True if there is a row to `get`. */
  step(): boolean;
  /** The current row, or with `params` the first row of a new run; `[]` if there is none. */
  get(params?: BindParams): SqlValue[];
  /** Runs to the end, ignoring rows. */
  run(params?: BindParams): void;
  reset(): void;
  free(): boolean;
}

/** The database of sql.js, as far as the index uses it. */
export interface SqlDatabase {
  /** Runs one statement or several; `params` go to each. */
  run(sql: string, params?: BindParams): SqlDatabase;
  /** One result for each statement that returns rows. */
  exec(sql: string, params?: BindParams): SqlResult[];
  prepare(sql: string): SqlStatement;
  export(): Uint8Array;
  /** The bytes that `export` copies, without the copy: valid until the next call. */
  image?(): Uint8Array;
  close(): void;
}
