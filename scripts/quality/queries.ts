import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../src/core/config/options.ts";

/** A query with its right answers; one of them is enough. */
export interface JudgedQuery {
  id: string;
  /** The kind of query: figures are reported per class. */
  class: string;
  query: string;
  /** Workspace-relative paths. */
  relevant: string[];
  /** Paths that are neither right nor wrong: they are removed from the ranking first. */
  ignore: string[];
  /** Parts of the right notes that hold the answer, if they are known. */
  evidence?: string[];
  /** Other words to ask with. */
  also?: string[];
}

/**
 * Reads judged queries, one JSON object per line: `query` and `relevant`, optionally `id`, `class`, `ignore`. Without a
 * class, the id names it (`link-en-001` is of `link-en`). Throws UsageError that names the line.
 */
export function readQueries(file: string, root: string): JudgedQuery[] {
  const lines = textOf(file).split(/\r?\n/);
  const queries = lines.flatMap((line, at) =>
    line.trim() === "" ? [] : [parseLine(line, { place: `${file}:${at + 1}`, number: at + 1, root })],
  );
  if (queries.length === 0) throw new UsageError(`${file} holds no query`);
  return queries;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`--queries cannot be read: ${file}`, { cause });
  }
}

function parseLine(line: string, at: { place: string; number: number; root: string }): JudgedQuery {
  const { place, number, root } = at;
  const { query, relevant, ignore = [], also, id = `${number}`, ...rest } = objectOf(line, place);
  if (typeof query !== "string" || query.trim() === "")
    throw new UsageError(`${place}: "query" must be a string`);
  if (!isTexts(relevant) || relevant.length === 0)
    throw new UsageError(`${place}: "relevant" must be a list of paths`);
  if (!isTexts(ignore)) throw new UsageError(`${place}: "ignore" must be a list of paths`);
  if (also !== undefined && !isTexts(also)) throw new UsageError(`${place}: "also" must be a list of words`);
  const missing = relevant.find((path) => !statSync(join(root, path), { throwIfNoEntry: false })?.isFile());
  if (missing !== undefined) throw new UsageError(`${place}: no such document in the workspace: ${missing}`);
  const name = classOf(rest["class"], String(id));
  return { id: String(id), class: name, query, relevant, ignore, ...(also !== undefined && { also }) };
}

function objectOf(line: string, place: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Invalid JSON gets the same message.
  }
  throw new UsageError(`${place}: not a JSON object`);
}

function classOf(given: unknown, id: string): string {
  if (typeof given === "string" && given !== "") return given;
  return /^(.+)-\d+$/.exec(id)?.[1] ?? "all";
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
