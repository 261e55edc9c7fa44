import { quoteName } from "../../lib/escape.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { lineEnding } from "../../markdown/line-endings.ts";
import { readMetadata } from "../document.ts";
import { keysFor } from "../field-names.ts";
import { setFields } from "../set-fields.ts";
import { findEmptyStatusLine, findStatusLine, type StatusLine, statusInBody } from "./status.ts";
import { isTaskTitle } from "./task.ts";

/**
 * Writes the status wherever the task has one, else in a new line under its title; no other byte changes.
 * Throws INVALID_ARGUMENT if frontmatter at its limit of 64 KB has no room for it.
 */
export function setTaskStatus(text: string, status: string): string {
  const { data, bodyOffset } = parseFrontmatter(text);
  const isInFrontmatter = keysFor(data, "status").length > 0;
  const line = findStatusLine(text, bodyOffset);
  if (line === null && !isInFrontmatter) return withStatusLine(text, bodyOffset, status);
  const edited = line === null ? text : withValue(text, line, status);
  return isInFrontmatter ? setFields(edited, { status }) : edited;
}

function withValue(text: string, { valueStart, valueEnd }: StatusLine, status: string): string {
  return text.slice(0, valueStart) + status + text.slice(valueEnd);
}

/** The two places of a status, in its standard form; null where it has none. */
export interface Statuses {
  frontmatter: string | null;
  line: string | null;
}

export function readStatuses(text: string): Statuses {
  const { data, bodyOffset } = parseFrontmatter(text);
  return { frontmatter: readMetadata(data).status, line: statusInBody(text, bodyOffset) };
}

/** Writes the status into those of the named places that have none. */
export function addStatus(
  text: string,
  status: string,
  places: Readonly<Record<keyof Statuses, boolean>>,
): string {
  const { frontmatter, line } = readStatuses(text);
  const { bodyOffset } = parseFrontmatter(text);
  const lined = places.line && line === null ? withStatusLine(text, bodyOffset, status) : text;
  return places.frontmatter && frontmatter === null ? setFields(lined, { status }) : lined;
}

/** A text, and what was changed in it, as a sentence. */
interface Reconciled {
  text: string;
  note: string | null;
}

/**
 * The edited text of a task whose frontmatter and Status line disagree, with the status that the edit changed in both; the
 * frontmatter wins if the edit changed both, or if `isExplicit`.
 */
export function reconcileStatus(
  text: string,
  { before, isExplicit }: { before: string; isExplicit: boolean },
): Reconciled {
  const now = readStatuses(text);
  if (now.frontmatter === null || now.line === null || now.frontmatter === now.line)
    return { text, note: null };
  const was = readStatuses(before);
  const line = findStatusLine(text, parseFrontmatter(text).bodyOffset);
  if (line !== null && (isExplicit || now.frontmatter !== was.frontmatter)) {
    const note = `The Status line now says ${quoteName(now.frontmatter)} too, like the frontmatter.`;
    return { text: withValue(text, line, now.frontmatter), note };
  }
  if (now.line === was.line) return { text, note: null };
  const note = `The status in frontmatter is now ${quoteName(now.line)} too, like the Status line.`;
  return { text: setFields(text, { status: now.line }), note };
}

function withStatusLine(text: string, bodyOffset: number, status: string): string {
  const empty = findEmptyStatusLine(text, bodyOffset);
  if (empty !== null) return fillStatusLine(text, empty, status);
  const ending = lineEnding(text);
  const titles = findHeadings(text, bodyOffset).filter(({ level }) => level === 1);
  const title = titles.find(isTaskTitle) ?? titles[0];
  const at = title?.end ?? bodyOffset;
  const isNewLine = /(?:^|[\n\uFEFF])$/.test(text.slice(Math.max(0, at - 1), at));
  const before = (isNewLine ? "" : ending) + (title === undefined ? "" : ending);
  const rest = text.slice(at);
  const after = rest === "" || /^[ \t]*\r?\n/.test(rest) ? "" : ending;
  const line = `Status: ${status}${ending}`;
  const edited = `${text.slice(0, at)}${before}${line}${after}${rest}`;
  // Between two rules, the line would make frontmatter of the text.
  const isNewBlock = parseFrontmatter(text).block === null && parseFrontmatter(edited).block !== null;
  return isNewBlock ? `${text.slice(0, bodyOffset)}${line}${ending}${text.slice(bodyOffset)}` : edited;
}

/** `at` is right behind the label. */
function fillStatusLine(text: string, at: number, status: string): string {
  const start = text[at] === " " ? at + 1 : at;
  const after = /^(?:\s|$)/.test(text.slice(start, start + 1)) ? "" : " ";
  return `${text.slice(0, start)}${start === at ? " " : ""}${status}${after}${text.slice(start)}`;
}
