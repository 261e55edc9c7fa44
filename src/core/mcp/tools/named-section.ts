import { UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { withoutMark } from "../../lib/text.ts";
import { eachHeading, findHeadings, type Heading } from "../../markdown/headings.ts";
import { trimBlankLines } from "../../markdown/lines.ts";
import {
  headingLine,
  headingName,
  listHeadings,
  type Section,
  type SectionFinder,
  sectionFinder,
  tellApart,
} from "../../markdown/sections.ts";
import { isSessionPath } from "../../notes/session/file.ts";
import { sameHeadings } from "../../notes/words/section-names.ts";
import type { Document } from "../../workspace/read.ts";

const MAX_LISTED = 50;

/** By its heading, else by another that is read as the same. Throws INVALID_ARGUMENT with the existing headings, or with the names of each of several that may be meant. */
export function findSectionIn(document: Pick<Document, "text" | "facts" | "path">, name: string): Section {
  const section = findSectionIfAny(document, name);
  if (section !== undefined) return section;
  const { text, facts, path } = document;
  const headings = listHeadings(text, facts.bodyOffset).slice(0, MAX_LISTED);
  const existing =
    headings.length === 0
      ? "It has no headings: leave 'section' out."
      : `Its headings: ${listNames(headings, MAX_LISTED)}.`;
  const message = `${quoteName(path)} has no section ${quoteName(name)}. ${existing}`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { path, headings } });
}

/** The same; undefined if there is none. */
export function findSectionIfAny(
  { text, facts, path }: Pick<Document, "text" | "facts" | "path">,
  name: string,
): Section | undefined {
  const find = sectionFinder(text, facts.bodyOffset);
  const named = find(name);
  const found =
    named.length > 0 ? named : sameSections(find, findHeadings(text, facts.bodyOffset), { name, path });
  if (found.length <= 1) return found[0];
  const sections = tellApart(find, found.slice(0, MAX_LISTED));
  const message = `${quoteName(path)} has ${found.length} sections ${quoteName(name)}. Name one: ${listNames(sections)}.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { path, sections } });
}

/** The new text of a section without its heading, which it may bring in the words of another language. */
export function withoutHeading(
  { path }: Pick<Document, "path">,
  own: Pick<Heading, "level" | "text"> | null,
  content: string,
): string {
  const body = trimBlankLines(withoutMark(content));
  const [first] = eachHeading(body);
  if (own === null || first?.start !== 0 || first.level > own.level) return content;
  const isOwn =
    headingName(first) === headingName(own) ||
    sameHeadings([first], own.text, isSessionPath(path)).length > 0;
  return isOwn ? trimBlankLines(body.slice(first.end)) : content;
}

/** What is read like a section of this name: Decisiones for Decisions. The outermost ones, since they hold the others. */
function sameSections(
  find: SectionFinder,
  headings: readonly Heading[],
  { name, path }: { name: string; path: string },
) {
  const same = sameHeadings(headings, name, isSessionPath(path));
  const level = Math.min(...same.map((heading) => heading.level));
  const outer = same.filter((heading) => heading.level === level);
  return outer.flatMap((one) => find(headingLine(one)).filter(({ heading }) => heading.start === one.start));
}
