import { parse, TomlError } from "smol-toml";
import { lineEnding } from "../../core/markdown/line-endings.ts";
import { BrokenSettings, type Entry, isEntry, type Json } from "./entry.ts";

// Edits one table `[servers.name]` in TOML, line by line; every other byte stays.

/** The values of a text. Throws BrokenSettings. */
export function parseToml(text: string): Entry {
  try {
    // A copy whose objects have a prototype.
    return structuredClone(parse(text)) as Entry;
  } catch (error) {
    if (error instanceof TomlError) throw new BrokenSettings("not valid TOML", error.line);
    throw error;
  }
}

/** Adds the table, or changes keys of the existing one. */
export function setToml(text: string, path: readonly string[], { set, remove }: Changes): string {
  const entries = Object.entries(set);
  if (statements(text).some((statement) => statement.isTable && isPath(statement.path, path))) {
    const rest = remove.reduce((result, key) => removeKey(result, path, key), text);
    return entries.reduce((result, [key, value]) => setKey(result, path, [key, value]), rest);
  }
  const eol = lineEnding(text);
  const lines = entries.map(([key, value]) => `${printKey(key)} = ${printValue(value)}`);
  const start = text === "" || text.endsWith("\n") ? text : text + eol;
  const header = `[${path.map(printKey).join(".")}]`;
  return `${start}${start === "" ? "" : eol}${[header, ...lines].join(eol)}${eol}`;
}

interface Changes {
  set: Entry;
  remove: string[];
}

/** Removes the table and those inside it, with an empty line before each. */
export function removeToml(text: string, path: readonly string[]): string {
  const all = statements(text);
  const at = all.findIndex(({ isTable, path: own }) => isTable && isPath(own.slice(0, path.length), path));
  const table = all[at];
  if (table === undefined) return text;
  const next = all.findIndex((statement, index) => index > at && statement.isTable);
  const last = all[(next === -1 ? all.length : next) - 1] ?? table;
  const before = text.slice(0, lineStart(text, table.start)).replace(/(?<=\n)\r?\n$/, "");
  return removeToml(before + text.slice(nextLine(text, last.end)), path);
}

function setKey(text: string, path: readonly string[], [key, value]: [string, Json]): string {
  const found = keyAt(text, path, key);
  const line = `${printKey(key)} = ${printValue(value)}`;
  if (found !== undefined) return text.slice(0, found.start) + line + text.slice(found.end);
  const last = statements(text).findLast(({ isTable, table, path: own }) =>
    isPath(isTable ? own : table, path),
  );
  const at = last === undefined ? text.length : nextLine(text, last.end);
  const eol = lineEnding(text);
  const start = text.slice(0, at);
  return `${start}${start.endsWith("\n") ? "" : eol}${line}${eol}${text.slice(at)}`;
}

/** Removes one key of a table, with its lines. */
function removeKey(text: string, path: readonly string[], key: string): string {
  const found = keyAt(text, path, key);
  if (found === undefined) return removeToml(text, [...path, key]);
  return text.slice(0, lineStart(text, found.start)) + text.slice(nextLine(text, found.end));
}

function keyAt(text: string, path: readonly string[], key: string): Statement | undefined {
  return statements(text).find(
    (statement) => !statement.isTable && isPath(statement.table, path) && isPath(statement.path, [key]),
  );
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

interface Statement {
  isTable: boolean;
  /** The path of the table, or of the key inside its table. */
  path: string[];
  start: number;
  /** After its last character, before a comment. */
  end: number;
  /** The table that a key is in. */
  table: string[];
}

/** The text is valid TOML, so it is enough to recognize strings, brackets and comments. */
const TOKEN =
  /"""[\s\S]*?"{3,5}(?!")|'''[\s\S]*?'{3,5}(?!')|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\r?\n|[^"'#[\]{}\r\n]+|\r/y;

function statements(text: string): Statement[] {
  const found: Statement[] = [];
  let table: string[] = [];
  let start: number | undefined;
  let end = 0;
  let depth = 0;
  const close = () => {
    if (start === undefined) return;
    const statement = describe(text.slice(start, end), table);
    if (statement.isTable) table = statement.path;
    found.push({ ...statement, start, end });
    start = undefined;
  };
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [piece] = token;
    if (/^\r?\n$/.test(piece) && depth === 0) close();
    if (piece.startsWith("#") || piece.trim() === "") continue;
    start ??= token.index + piece.length - piece.trimStart().length;
    end = token.index + piece.trimEnd().length;
    if (piece === "[" || piece === "{") depth++;
    if (piece === "]" || piece === "}") depth--;
  }
  close();
  return found;
}

function describe(code: string, table: string[]): Omit<Statement, "start" | "end"> {
  const isTable = code.startsWith("[");
  // Without its value: an inline table holds keys of its own.
  const key = isTable ? code : `${code.slice(0, keyLength(code))} 0`;
  return { isTable, path: keysOf(parse(key)), table };
}

/** The length of the key of a statement, with the `=`. */
function keyLength(code: string): number {
  return /^(?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'=])*=/.exec(code)?.[0].length ?? 0;
}

/** The path of the only value in a parsed statement. */
function keysOf(value: unknown): string[] {
  const inner = Array.isArray(value) ? value[0] : value;
  const key = isEntry(inner) ? Object.keys(inner)[0] : undefined;
  return key === undefined ? [] : [key, ...keysOf((inner as Entry)[key])];
}

function isPath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

function printKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function printValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  if (isEntry(value)) {
    const parts = Object.entries(value).map(([key, item]) => `${printKey(key)} = ${printValue(item)}`);
    return `{ ${parts.join(", ")} }`;
  }
  return JSON.stringify(value);
}
