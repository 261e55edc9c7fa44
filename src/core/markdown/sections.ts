import { eachHeading, findHeadings, type Heading, parseAtxHeading, withoutId } from "./headings.ts";

/** A heading with what belongs to it, subsections included: its body is `[bodyStart, end)`. */
export interface Section {
  heading: Heading;
  bodyStart: number;
  end: number;
}

/** The first section named `name` (`Objective`, `## objective`); leading `#`s also fix the level. */
export function findSection(text: string, name: string, from = 0): Section | null {
  const wanted = parseAtxHeading(name.trim().replace(/^#{1,6}(?=[^#\s])/, "$& "));
  const nameKey = comparable(name);
  const textKey = wanted === null ? null : comparable(wanted.text);
  return firstSection(eachHeading(text, from), text.length, (heading) => {
    // The line as lists show it, which is another heading if its text ends in `#`.
    if (comparable(headingLine(heading)) === nameKey) return true;
    const keys = [heading.text, withoutId(heading.text)].map(comparable).filter((key) => key !== "");
    return keys.some((key) => key === nameKey || (heading.level === wanted?.level && key === textKey));
  });
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
  return a.level === b.level && comparable(withoutId(a.text)) === comparable(withoutId(b.text));
}

/** Composed, since macOS names and some editors give `e` + accent for `é`. */
function comparable(text: string): string {
  return text.trim().split(/\s+/).join(" ").normalize("NFC").toLowerCase();
}
