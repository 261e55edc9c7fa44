import { groupBy, once } from "../lib/collections.ts";
import { anchorMaker, shownText, slug } from "./anchors.ts";
import { eachHeading, findHeadings, type Heading, parseAtxHeading, withoutId } from "./headings.ts";

/** A heading with what belongs to it, subsections included: its body is `[bodyStart, end)`. */
export interface Section {
  heading: Heading;
  bodyStart: number;
  end: number;
}

interface NestedSection extends Section {
  /** The section that it is in. */
  above: NestedSection | undefined;
}

/** Gives the sections that a name may mean, in order. */
export type SectionFinder = (name: string) => NestedSection[];

const MAX_NAME_CHARS = 6_000;
/** `Beta > Notes`; links write `Beta#Notes`. */
const STEP = /\s>\s|(?<=[^#\s])#(?=[^#\s])/;
const NUMBERED = /^(.*\S)\s*\((\d{1,4})\)$/s;

/**
 * The one way from a name to sections: a heading (`Notes`; `## Notes` also fixes the level), a path of headings (`Beta > Notes`), one of
 * several that are equal (`Notes (2)`), or an anchor (`notes-1`).
 */
export function sectionFinder(text: string, from = 0): SectionFinder {
  const sections = nestedSections(text, from);
  const byName = grouped(
    sections.flatMap((section) => namesOf(section.heading).map((name) => [name, section])),
  );
  const byAnchor = once(() => grouped(anchored(sections)));
  const named = (name: string) => byName.get(comparable(name)) ?? byName.get(comparable(inMarks(name)));
  const atStep = (step: string) => named(step) ?? byAnchor().get(slug(step)) ?? [];
  const along = (path: string) => {
    const steps = path.split(STEP).map(atStep);
    const last = steps.pop() ?? [];
    return last.filter((section) => isBelow(section, steps));
  };
  return (name) => {
    if (name.length > MAX_NAME_CHARS) return [];
    const [, rest = "", number] = NUMBERED.exec(name.trim()) ?? [];
    const numbered = number === undefined ? undefined : along(rest)[Number(number) - 1];
    return named(name) ?? (numbered === undefined ? along(name) : [numbered]);
  };
}

/** A name for each of several sections that were found by one. */
export function tellApart(find: SectionFinder, sections: readonly NestedSection[]): string[] {
  const isOnly = (name: string, section: Section) => {
    const found = find(name);
    return found.length === 1 && found[0] === section;
  };
  return sections.map((section, at) => {
    const { heading, above } = section;
    const path = above === undefined ? [] : [`${above.heading.text} > ${heading.text}`];
    const names = [...path, headingLine(heading), `${heading.text} (${at + 1})`];
    return names.find((name) => isOnly(name, section)) ?? headingLine(heading);
  });
}

function nestedSections(text: string, from: number): NestedSection[] {
  const sections: NestedSection[] = [];
  for (const heading of eachHeading(text, from)) {
    let above = sections.at(-1);
    for (; above !== undefined && above.heading.level >= heading.level; above = above.above)
      above.end = heading.start;
    sections.push({ heading, bodyStart: heading.end, end: text.length, above });
  }
  return sections;
}

/** Whether a section is in one of each of these, from the outermost on. */
function isBelow({ above }: NestedSection, steps: readonly (readonly NestedSection[])[]): boolean {
  let left = steps.length;
  for (let at = above; at !== undefined && left > 0; at = at.above) if (steps[left - 1]?.includes(at)) left--;
  return left === 0;
}

function grouped(pairs: readonly (readonly [name: string, section: NestedSection])[]) {
  const groups = groupBy(pairs, ([name]) => name);
  return new Map(
    [...groups].map(([name, found]) => [name, [...new Set(found.map(([, section]) => section))]]),
  );
}

/** A heading's texts, and its lines as lists show them: another heading's text may end in `#`. */
function namesOf({ level, text }: Heading): string[] {
  const texts = [text, withoutId(text)];
  const names = [...texts, ...texts.map((one) => headingLine({ level, text: one }))].map(comparable);
  return names.filter((name) => name !== "");
}

/** `## Notes` for `##notes ##`. */
function inMarks(name: string): string {
  const heading = parseAtxHeading(name.trim().replace(/^#{1,6}(?=[^#\s])/, "$& "));
  return heading === null ? name : headingLine(heading);
}

/** Equal headings share an anchor, and all but the first have another one of their own. */
function anchored(sections: readonly NestedSection[]): [anchor: string, section: NestedSection][] {
  const anchorOf = anchorMaker();
  return sections.flatMap((section) => {
    const text = shownText(withoutId(section.heading.text));
    return [slug(text), anchorOf(text)].map((anchor): [string, NestedSection] => [anchor, section]);
  });
}

/** Tells whether an anchor (without `#`) leads anywhere in a text: to a heading, an element with that id, or the top. */
export function anchorFinder(text: string): (anchor: string) => boolean {
  const sections = once(() => sectionFinder(text, text.startsWith("\uFEFF") ? 1 : 0));
  return (anchor) => {
    // `^id` names a block.
    if (anchor.includes("^") || ["", "top"].includes(slug(anchor))) return true;
    const marks = [`id="${anchor}"`, `name="${anchor}"`, `{#${anchor}}`, `{ #${anchor} }`, `{/*${anchor}*/}`];
    return sections()(anchor).length > 0 || marks.some((mark) => text.includes(mark));
  };
}

/** The first section whose heading `matches`; it ends at the next heading of its level or above. */
export function firstSection(
  headings: Iterable<Heading>,
  textEnd: number,
  matches: (heading: Heading) => boolean,
): Section | null {
  let found: Heading | null = null;
  for (const heading of headings) {
    if (found === null) {
      if (matches(heading)) found = heading;
    } else if (heading.level <= found.level) {
      return { heading: found, bodyStart: found.end, end: heading.start };
    }
  }
  return found === null ? null : { heading: found, bodyStart: found.end, end: textEnd };
}

/** All headings as `## Objective`, in order. */
export function listHeadings(text: string, from = 0): string[] {
  return findHeadings(text, from).map(headingLine);
}

/** A heading in its `#` form, however it is written in the text. */
export function headingLine(heading: Pick<Heading, "level" | "text">): string {
  return `${"#".repeat(heading.level)} ${heading.text}`.trimEnd();
}

/** True for headings that a lookup by name takes for the same. */
export function isSameHeading(a: Heading, b: Heading): boolean {
  return a.level === b.level && headingName(a) === headingName(b);
}

/** The text of a heading, in one form for all that are the same. */
export function headingName({ text }: Pick<Heading, "text">): string {
  return comparable(withoutId(text));
}

/** Composed, since macOS names and some editors give `e` + accent for `é`. */
function comparable(text: string): string {
  return text.trim().split(/\s+/).join(" ").normalize("NFC").toLowerCase();
}
