import { UserError } from "../lib/errors.ts";
import { withoutMark } from "../lib/text.ts";
import { closingLine, withClosingLine } from "./blocks.ts";
import { parseFrontmatter } from "./frontmatter.ts";
import { eachHeading, parseAtxHeading } from "./headings.ts";
import { inLineEndingsOf, lineEnding } from "./line-endings.ts";
import { eachLine, trimBlankLines, writtenLines } from "./lines.ts";
import { isSameHeading, type Section } from "./sections.ts";

/** The lines to insert, with their line ending; `isLast` if nothing of the text follows. */
interface Insertion {
  lines: string;
  ending: string;
  isLast: boolean;
}

const LIST_MARKER = /^[ \t]*(?:([-*+])|\d{1,9}[.)])[ \t]/;

/**
 * Replaces the body of a section, subsections included; the blank lines around it stay. Like all edits here it throws
 * INVALID_ARGUMENT for content with a `-->` that would close a comment above it.
 */
export function replaceSection(text: string, given: Section, content: string): string {
  const section = withoutSettings(text, given);
  const insertion = insertionFor(text, section, content);
  const body = writtenLines(text, section.bodyStart, section.end);
  if (body === null) return fillSection(text, section, insertion);
  const after = text.slice(body.end, section.end);
  const rest = text.slice(section.end);
  if (insertion.lines === text.slice(body.start, body.end)) return text;
  checkComment(text.slice(0, body.start), insertion.lines);
  if (insertion.lines === "") return text.slice(0, section.bodyStart) + after.replace(/^\r?\n/, "") + rest;
  // A missing final newline stays missing.
  const gap = insertion.isLast ? after : gapBetween(after, rest, insertion);
  return text.slice(0, body.start) + insertion.lines + gap + rest;
}

/** `content` after the last line of the section, subsections included. */
export function appendToSection(text: string, given: Section, content: string): string {
  const section = withoutSettings(text, given);
  const insertion = insertionFor(text, section, content);
  const body = writtenLines(text, section.bodyStart, section.end);
  if (body === null) return fillSection(text, section, insertion);
  if (insertion.lines === "") return text;
  const above = text.slice(0, body.end);
  checkComment(above, insertion.lines);
  const rest = text.slice(section.end);
  const after = gapBetween(text.slice(body.end, section.end), rest, insertion);
  return above + gapBefore(above, insertion) + insertion.lines + after + rest;
}

/** `content` after the last line of the text. */
export function appendToText(text: string, content: string): string {
  const { bodyOffset } = parseFrontmatter(text);
  const { start: end } = settingsOf(text);
  const added = trimBlankLines(withoutMark(content));
  const lines = inLineEndingsOf(text, end < text.length ? withClosingLine(added) : added);
  if (lines === "") return text;
  const insertion = { lines, ending: lineEnding(text + lines), isLast: true };
  const body = writtenLines(text, bodyOffset, end);
  if (body === null) return onNewLine(text, insertion.ending) + lines + insertion.ending;
  const above = text.slice(0, body.end);
  checkComment(above, lines);
  return above + gapBefore(above, insertion) + lines + (text.slice(body.end) || insertion.ending);
}

/**
 * Where the block in `%%` begins, and where its last line, in which plugins of Obsidian (Kanban, Excalidraw) keep settings and data at
 * the end of a text.
 */
function settingsOf(text: string): { start: number; close: number } {
  const end = text.trimEnd().length;
  const close = text.slice(end - 3, end) === "\n%%" ? end - 2 : text.length;
  const start = close < text.length ? text.lastIndexOf("\n%%", close - 2) + 1 : 0;
  return start === 0 ? { start: text.length, close: text.length } : { start, close };
}

function withoutSettings(text: string, section: Section): Section {
  const { start, close } = settingsOf(text);
  return { ...section, end: Math.min(section.end, section.bodyStart > start ? close : start) };
}

function insertionFor(text: string, section: Section, content: string): Insertion {
  const isLast = section.end === text.length;
  const body = trimBlankLines(withoutMark(content));
  const [first] = eachHeading(body);
  const repeated = first !== undefined && first.start === 0 && isSameHeading(first, section.heading);
  const lines = repeated ? trimBlankLines(body.slice(first.end)) : body;
  // An open fence or comment would swallow what follows.
  const closed = isLast ? lines : withClosingLine(lines);
  return { lines: inLineEndingsOf(text, closed), ending: lineEnding(text), isLast };
}

/** Fills an empty section, right under its heading. */
function fillSection(text: string, section: Section, { lines, ending, isLast }: Insertion): string {
  if (lines === "") return text;
  const head = onNewLine(text.slice(0, section.bodyStart), ending);
  checkComment(head, lines);
  return head + lines + ending + (isLast ? "" : ending + text.slice(section.end));
}

/** An unclosed comment hides nothing; closed by new text, it would hide everything between. */
function checkComment(above: string, lines: string): void {
  if (!lines.includes("-->") || closingLine(above) !== "-->") return;
  const message =
    "The '-->' in the content would close a comment (<!--) that the text above leaves open, and hide everything between. " +
    "Close that comment first, then repeat the change.";
  throw new UserError("INVALID_ARGUMENT", message, { next: "edit-text" });
}

/** One line break inside a list or a table, else a blank line. */
function gapBefore(above: string, { lines, ending }: Insertion): string {
  const [first] = eachLine(lines);
  const kind = rowKind(first?.text ?? "");
  const isNextRow = kind !== null && kind === rowKind(above.slice(above.lastIndexOf("\n") + 1));
  return isNextRow ? ending : ending + ending;
}

function rowKind(line: string): string | null {
  if (/^ {0,3}\|/.test(line)) return "table";
  const marker = LIST_MARKER.exec(line);
  return marker === null ? null : (marker[1] ?? "number");
}

/** The `gap` between the body and `rest`; an underlined heading needs a blank line before it. */
function gapBetween(gap: string, rest: string, { ending, isLast }: Insertion): string {
  if (isLast) return gap || ending;
  const [next] = eachLine(rest);
  const isTight = gap === "\n" || gap === "\r\n";
  return isTight && parseAtxHeading(next?.text ?? "") === null ? gap + ending : gap;
}

function onNewLine(text: string, ending: string): string {
  return text === "" || text.endsWith("\n") || text === "\uFEFF" ? text : text + ending;
}
