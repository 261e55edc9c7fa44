import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { findHeadings, type Heading, outlineText } from "../../markdown/headings.ts";
import { withoutTail } from "../../markdown/tail.ts";
import { nameOfKey } from "../field-names.ts";
import { labelKey } from "../short-text.ts";
import { oneOf } from "../words/languages.ts";
import { labelsIn, mayHaveLabel } from "./labels.ts";
import { normalizeStatus } from "./status-word.ts";
import { isTaskStatus } from "./statuses.ts";

/** A status line; a writer replaces `[valueStart, valueEnd)`. */
export interface StatusLine {
  value: string;
  valueStart: number;
  valueEnd: number;
}

const NAMES = ["status", "state"] as const;
export const isStatus = (name: string | null) => NAMES.some((own) => own === name);
const NOT_INDENTED = /^ {0,3}(?![ \t])/;

/** The first `Status: x` line from `from` on, outside code fences, else what a heading or a table states; emphasis around the value stays outside it. */
export function findStatusLine(text: string, from: number): StatusLine | null {
  for (const { value, start, region } of statusLines(text, from)) {
    if (value.text === "" || region === "code") continue;
    const valueStart = start + value.start;
    return { value: value.text, valueStart, valueEnd: valueStart + value.text.length };
  }
  return findStatedStatus(text, from);
}

/** Where to insert the value of the first empty `Status:` line; null if there is none. */
export function findEmptyStatusLine(text: string, from: number): number | null {
  for (const { value, start, region } of statusLines(text, from))
    if (value.text === "" && region === "text") return start;
  return null;
}

/** The lines with a status label; `start` is right behind the label. */
function* statusLines(text: string, from: number) {
  const outline = outlineText(text);
  if (!NAMES.some((name) => mayHaveLabel(outline, name))) return;
  for (const line of eachMarkdownLine(outline, from)) {
    const label = NOT_INDENTED.test(line.text)
      ? labelsIn(line.text).find(({ name }) => isStatus(name))
      : undefined;
    if (label === undefined) continue;
    const value = statusValue(line.text.slice(label.start, label.end));
    if (label.name === "state" && !isTaskStatus(normalizeStatus(value.text))) continue;
    yield { value, start: line.start + label.start, region: line.region };
  }
}

/** The status of the first status line; null without one. */
export function statusInBody(text: string, from: number): string | null {
  const line = findStatusLine(text, from);
  return line === null ? null : normalizeStatus(line.value);
}

/** `rest` up to a comment and what other programs keep behind it, without white space and emphasis marks at its ends. */
export function statusValue(rest: string): { start: number; text: string } {
  let end = withoutTail(rest.split("<!--", 1)[0] ?? "").length;
  let start = 0;
  while (start < end && isPadding(rest[start])) start++;
  while (end > start && isPadding(rest[end - 1])) end--;
  return { start, text: rest.slice(start, end) };
}

function isPadding(character: string | undefined): boolean {
  return character === undefined || /[\s*_`]/.test(character);
}

const WORDS = NAMES.map((name) => oneOf(({ labels }) => labels[name])).join("|");
/** Cheap to look for: most tasks have no such heading or cell. */
const MAYBE = new RegExp(`^[ ]{0,3}(?:##[ \\t]|\\|).*(?:${WORDS})`, "imu");
const CELL = /(?:\\.|[^|\\])+/g;

/**
 * A known status under or in a heading `## Status`, or in a table above the sections: beside its label, or below it if the table has
 * one row. What is deeper is about a part of the task.
 */
function findStatedStatus(text: string, from: number): StatusLine | null {
  const outline = outlineText(text);
  if (!MAYBE.test(outline)) return null;
  const headings = findHeadings(outline, from);
  const sections = headings.filter(({ level }) => level === 2);
  for (const heading of sections) {
    const stated = underHeading(outline, heading, headings);
    if (stated !== null) return stated;
  }
  return inTable(outline.slice(0, headings.find(({ level }) => level > 1)?.start), from);
}

function isStatusLabel(text: string): boolean {
  return isStatus(nameOfKey(labelKey(text)));
}

/** The part `[start, start + text.length)` of a text, without what stands around the word; null unless it is known. */
function known(start: number, text: string): StatusLine | null {
  const { start: skipped, text: value } = statusValue(text);
  const valueStart = start + skipped;
  return isTaskStatus(normalizeStatus(value))
    ? { value, valueStart, valueEnd: valueStart + value.length }
    : null;
}

function underHeading(text: string, heading: Heading, all: readonly Heading[]): StatusLine | null {
  const colon = /[:：]/.exec(heading.text)?.index ?? heading.text.length;
  if (!isStatusLabel(heading.text.slice(0, colon))) return null;
  const behind = heading.text.slice(colon + 1);
  if (behind.trim() !== "") return known(text.lastIndexOf(behind, heading.end), behind);
  const next = all[all.indexOf(heading) + 1]?.start;
  for (const { kind, region, at, end } of eachMarkdownLine(text, heading.end, next))
    if (kind !== "blank" && region === "text") return known(at, text.slice(at, end));
  return null;
}

function inTable(text: string, from: number): StatusLine | null {
  for (const { name, cell, start } of labelledCells(text, from)) {
    const stated = isStatus(name) ? known(start, cell) : null;
    if (stated !== null) return stated;
  }
  return null;
}

/** The cells of tables beside one that is a label, or below it if the table has one row. */
export function* labelledCells(text: string, from: number) {
  const lines = [...eachMarkdownLine(text, from)];
  const rows = lines.map(({ at, end, region }) => {
    const row = region === "text" && text[at] === "|" ? text.slice(at, end) : "";
    return [...row.matchAll(CELL)].map(({ 0: cell, index }) => ({ cell, start: at + index }));
  });
  for (const [at, row] of rows.entries()) {
    const isHead = lines[at + 1]?.kind === "delimiter" && (rows[at + 3]?.length ?? 0) === 0;
    const below = isHead ? rows[at + 2] : undefined;
    yield* row.flatMap(({ cell }, place) => {
      const name = nameOfKey(labelKey(cell));
      return [row[place + 1], below?.[place]].flatMap((one) => (one === undefined ? [] : { name, ...one }));
    });
  }
}
