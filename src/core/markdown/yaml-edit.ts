import { isDateOrDateTime } from "../lib/clock.ts";
import { endOfLine } from "../lib/text.ts";
import { type LineEnding, withLineEndings } from "./line-endings.ts";
import { startOfLine, type YamlEntry, yamlEntries } from "./yaml-entries.ts";
import { dumpMapping, dumpValue } from "./yaml-value.ts";

interface LineEdit {
  start: number;
  end: number;
  text: string;
}

/**
 * The YAML of a valid mapping with some keys set (null removes one), all else unchanged byte for byte. The result may be
 * wrong for rare layouts, so the caller reads it back; null if the layout has no lines for a key.
 */
export function editYaml(
  source: string,
  changes: ReadonlyMap<string, unknown>,
  ending: LineEnding,
): string | null {
  const entries = yamlEntries(source);
  if (entries === null) return null;
  const edits: LineEdit[] = [];
  const added = new Map(changes);
  for (const entry of entries) {
    if (entry.name === null || !added.has(entry.name)) continue;
    const value = added.get(entry.name);
    added.delete(entry.name);
    const edit = value === null ? removal(source, entry) : replacement(source, entry, value);
    if (edit === null) return null;
    edits.push(edit);
  }
  return applyEdits(source, edits) + newLines(source, added, { ending, first: entries[0] });
}

/** The lines of the entry, with the comment at their end; those of their own lines stay. */
function removal(source: string, { key, value }: YamlEntry): LineEdit {
  const end = endOfLine(source, Math.max(key.end, value.end));
  return { start: startOfLine(source, key.start), end: end + 1, text: "" };
}

function replacement(source: string, { name, key, value }: YamlEntry, data: unknown): LineEdit | null {
  const colonEnd = afterColon(source, key.end);
  if (colonEnd === null) return null;
  const isDate = isPlainDate(data) && isPlainDate(source.slice(value.start, value.end));
  const text = isDate ? data : dumpValue(data, name ?? "");
  if (value.start === -1) return { start: colonEnd, end: colonEnd, text: ` ${text}` };
  const lineEnd = contentEnd(source, colonEnd);
  if (!value.isBlock && value.start < lineEnd) return { start: value.start, end: value.end, text };
  const end = value.isBlock ? contentEnd(source, value.end) : value.end;
  return { start: colonEnd, end, text: ` ${text}${commentIn(source.slice(colonEnd, lineEnd))}` };
}

/** In place of a date without quotes, which all readers take for a date, a date has none either. */
function isPlainDate(text: unknown): text is string {
  return typeof text === "string" && isDateOrDateTime(text);
}

function afterColon(source: string, keyEnd: number): number | null {
  let at = keyEnd;
  while (" \t\r\n".includes(source[at] ?? "x")) at++;
  return source[at] === ":" ? at + 1 : null;
}

/** Where the line that holds `at` ends, before its terminator. */
function contentEnd(source: string, at: number): number {
  const end = endOfLine(source, at);
  return end > at && source[end - 1] === "\r" ? end - 1 : end;
}

/** The comment at the end of a line, with the white space before it. */
function commentIn(rest: string): string {
  return /(?<![ \t])[ \t]+#.*/s.exec(rest)?.[0] ?? "";
}

function applyEdits(source: string, edits: readonly LineEdit[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, text } of edits) {
    result += source.slice(from, start) + text;
    from = end;
  }
  return result + source.slice(from);
}

function newLines(
  source: string,
  added: ReadonlyMap<string, unknown>,
  { ending, first }: { ending: LineEnding; first: YamlEntry | undefined },
): string {
  const data = Object.fromEntries([...added].filter(([, value]) => value !== null));
  const margin =
    first === undefined ? "" : source.slice(startOfLine(source, first.key.start), first.key.start);
  const indent = /^ *$/.test(margin) ? margin : "";
  return withLineEndings(dumpMapping(data).replace(/^(?=.)/gm, indent), ending);
}
