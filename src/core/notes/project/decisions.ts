import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { type Heading, trackedHeadings } from "../../markdown/headings.ts";
import { trimBlankLines } from "../../markdown/lines.ts";
import { appendToSection, appendToText } from "../../markdown/section-edit.ts";
import { firstSection } from "../../markdown/sections.ts";
import { labelKey } from "../short-text.ts";
import { inAnyLanguage } from "../words/languages.ts";

const NAMES: ReadonlySet<string> = new Set(inAnyLanguage(({ decisions }) => decisions));

// A later entry of the same session note: not part of the section before it.
const LATER_ENTRY = /^---[ \t]*\r?\n\*\*\d{2}:\d{2}(?::\d{2})?\*\*/m;

/** The text under the headings for decisions; `""` if there are none. */
export function findDecisions(text: string, bodyOffset: number): string {
  return [...decisionBodies(text, bodyOffset)].filter((body) => body !== "").join("\n\n");
}

function* decisionBodies(text: string, bodyOffset: number): Generator<string> {
  const bodyOf = (heading: Heading, end: number) =>
    trimBlankLines(text.slice(heading.end, end).split(LATER_ENTRY, 1)[0] ?? "");
  let open: Heading | null = null;
  for (const heading of trackedHeadings(text, bodyOffset)) {
    if (open !== null && heading.level <= open.level) {
      yield bodyOf(open, heading.start);
      open = null;
    }
    if (open === null && isOfDecisions(heading)) open = heading;
  }
  if (open !== null) yield bodyOf(open, text.length);
}

function isOfDecisions(heading: Heading): boolean {
  return NAMES.has(labelKey(heading.text));
}

/** The text with more decisions in its list of them. */
export function addDecisions(text: string, decisions: readonly string[]): string {
  const headings = trackedHeadings(text, parseFrontmatter(text).bodyOffset);
  const section = firstSection(headings, text.length, isOfDecisions);
  const items = decisions.map((decision) => `- ${decision}`).join("\n");
  return section === null
    ? appendToText(text, `## Decisions\n\n${items}`)
    : appendToSection(text, section, items);
}
