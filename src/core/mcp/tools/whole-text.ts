import { UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { findConflicts } from "../../markdown/conflicts.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { eachHeading } from "../../markdown/headings.ts";
import { matchParts } from "../../markdown/match-parts.ts";
import { headingLine, headingName, isSameHeading, type Section } from "../../markdown/sections.ts";
import type { Document } from "../../workspace/read.ts";
import { onlyPart, type PartsRead } from "../parts-read.ts";

/** A line that stands for sections is no longer. */
const MAX_LINE = 100;

/**
 * Throws CONFLICT for a text that ends where a part that was read ended, and, unless its hash tells that the present one is `known`,
 * for its beginning and for a line in the place of several of its sections.
 */
export function checkWhole(
  document: Document,
  content: string,
  { parts, known }: { parts: PartsRead; known: boolean },
): void {
  parts.check(document, content);
  const { path, text } = document;
  // Who resolves a conflict keeps one side of it.
  if (known || findConflicts(text).length > 0) return;
  const [old, given] = [bodyOf(text), bodyOf(content)];
  if (given.length < old.length && old.startsWith(given))
    throw onlyPart(path, `The text is only a part of ${quoteName(path)}`);
  const line = standIn(old, given);
  if (line !== undefined) throw onlyPart(path, `${quoteName(line)} stands where several sections were`);
}

/** A short line alone that is new, exactly where two or more sections are missing of which another one stayed. */
function standIn(old: string, given: string): string | undefined {
  const [before, now] = [[...eachHeading(old)], [...eachHeading(given)]];
  const names = now.map(headingName);
  const oldNames = before.map(headingName);
  const places = [-1, ...matchParts(names, oldNames), before.length];
  const known = new Set(old.split("\n"));
  const levels = new Set(places.map((place) => before[place]?.level));
  for (const [at, next] of places.slice(1).entries()) {
    const place = places[at] ?? -1;
    // Another heading took their place.
    if (next === -1 || (at > 0 && place === -1)) continue;
    const gone = before
      .slice(place + 1, next)
      .filter((heading) => levels.has(heading.level) && !names.includes(headingName(heading)));
    const line = lastAlone(given.slice(now[at - 1]?.end ?? 0, now[at]?.start));
    if (gone.length > 1 && line !== undefined && !known.has(line)) return line.trim();
  }
  return undefined;
}

/** The last line of a body, if nothing stands right above it. */
function lastAlone(body: string): string | undefined {
  const [line = "", above = ""] = body.trimEnd().split("\n").reverse();
  return line.trim() !== "" && line.length <= MAX_LINE && above.trim() === "" ? line : undefined;
}

/** Throws CONFLICT for the new text of a section with headings that stand outside it already. */
export function checkNeighbours({ path, text, facts }: Document, section: Section, content: string): void {
  const { heading, end } = section;
  const outside = [...eachHeading(text, facts.bodyOffset)].filter(
    ({ start }) => start < heading.start || start >= end,
  );
  const names = new Set(outside.map(headingName));
  const twice = [...eachHeading(content)].filter(
    (one) => one.level <= heading.level && !isSameHeading(one, heading) && names.has(headingName(one)),
  );
  if (twice.length === 0) return;
  const headings = twice.map(headingLine);
  const message = `${listNames(headings)} would stand in ${quoteName(path)} twice: outside the section ${quoteName(headingLine(heading))} they are there already. Give only the text of that section, or leave 'section' out and give the whole text with expected_hash.`;
  throw new UserError("CONFLICT", message, { details: { path, headings } });
}

const FENCE = /^\s*(`{3,}|~{3,})[ \t]*(markdown|md)?[ \t]*\n(.*)\n\1[ \t]*$/is;

/** A text that a model put into one fence of Markdown as a whole, without it, and what to say of it; a note that is a block of code stays. */
export function withoutFence(content: string, before: string): { text: string; note: string | null } {
  const [, mark = "", info, inner] = FENCE.exec(content.replaceAll("\r\n", "\n").trimEnd()) ?? [];
  const isCode = inner === undefined || inner.includes(`\n${mark}`) || FENCE.test(bodyOf(before));
  const [first, own] = [inner ?? "", before].map((text) => eachHeading(text).next().value);
  const isMeant = !isCode && (info !== undefined || (first && own && isSameHeading(first, own)));
  return isMeant ? { text: `${inner}\n`, note: UNFENCED } : { text: content, note: null };
}

const UNFENCED = "The text was in one fence of code as a whole: it was written without it.";

function bodyOf(text: string): string {
  return text.slice(parseFrontmatter(text).bodyOffset).replaceAll("\r\n", "\n").trim();
}
