import { quoteName } from "../../lib/escape.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { lineEnding } from "../../markdown/line-endings.ts";
import { mapThree, mergeValues, type Three } from "../../markdown/merge-regions.ts";
import { type Data, fieldsOf, keysFor } from "../field-names.ts";
import { setFields } from "../set-fields.ts";
import { fieldText } from "./field-kinds.ts";
import { findEmptyStatusLine, findStatusLine, type StatusLine, statusInBody } from "./status-line.ts";
import { normalizeStatus } from "./status-word.ts";
import { isTaskTitle } from "./task.ts";

/** The status among the fields of frontmatter, in its standard form; null without one. */
export function statusInFields(fields: Data): string | null {
  const status = fieldText(fields["status"]);
  return status === null ? null : normalizeStatus(status);
}

/** The two places of a status, in its standard form; null where it has none. */
interface StatusPlaces {
  frontmatter: string | null;
  line: string | null;
}

export function readStatuses(text: string): StatusPlaces {
  const { data, bodyOffset } = parseFrontmatter(text);
  return { frontmatter: statusInFields(fieldsOf(data)), line: statusInBody(text, bodyOffset) };
}

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

/**
 * The edited text of a task whose frontmatter and Status line disagree, with the status that the edit changed in both; the
 * frontmatter wins if the edit changed both, or if `isExplicit`. The note says what was changed.
 */
export function reconcileStatus(
  text: string,
  { before, isExplicit }: { before: string; isExplicit: boolean },
): { text: string; note: string | null } {
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

/** With the status of the merge in all places of all three; if the sides contradict, with its own in the same places of each. */
export function withAlikeStatus(texts: Three<string>, prefer: "theirs" | undefined): Three<string> {
  const places = mapThree(texts, readStatuses);
  const says = mapThree(places, (side) => statusOf(side, places.base));
  const areApart = Object.values(places).every(
    ({ frontmatter, line }) => (frontmatter ?? line) !== (line ?? frontmatter),
  );
  if (says.ours === null || says.theirs === null || areApart) return texts;
  if (says.ours === says.base && says.theirs === says.base) return texts;
  const merged = mergeValues(says) ?? (prefer && says.theirs);
  if (merged !== undefined)
    return mapThree(texts, (text) => (merged === null ? text : withStatus(text, merged)));
  const added = {
    frontmatter:
      places.base.frontmatter === null && (places.ours.frontmatter ?? places.theirs.frontmatter) !== null,
    line: places.base.line === null && (places.ours.line ?? places.theirs.line) !== null,
  };
  return {
    base: says.base === null ? texts.base : withStatus(texts.base, says.base),
    ours: addStatus(withStatus(texts.ours, says.ours), says.ours, added),
    theirs: addStatus(withStatus(texts.theirs, says.theirs), says.theirs, added),
  };
}

/** What a side says now: what it made new in either place, the frontmatter first. */
function statusOf({ frontmatter, line }: StatusPlaces, base: StatusPlaces): string | null {
  const before = base.frontmatter ?? base.line;
  const isNew = (value: string | null, was: string | null) =>
    value !== null && value !== was && value !== before;
  if (isNew(line, base.line) && !isNew(frontmatter, base.frontmatter)) return line;
  return frontmatter ?? line;
}

/** With a status in the places that the text has. */
function withStatus(text: string, status: string): string {
  const { frontmatter, line } = readStatuses(text);
  const isSaid = (frontmatter ?? status) === status && (line ?? status) === status;
  return isSaid ? text : setTaskStatus(text, status);
}

/** Writes the status into those of the named places that have none. */
export function addStatus(
  text: string,
  status: string,
  places: Readonly<Record<keyof StatusPlaces, boolean>>,
): string {
  const { frontmatter, line } = readStatuses(text);
  const { bodyOffset } = parseFrontmatter(text);
  const lined = places.line && line === null ? withStatusLine(text, bodyOffset, status) : text;
  return places.frontmatter && frontmatter === null ? setFields(lined, { status }) : lined;
}
