import { type Heading, trackedHeadings } from "../../markdown/headings.ts";
import { trimBlankLines } from "../../markdown/lines.ts";
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
    if (open === null && NAMES.has(labelKey(heading.text))) open = heading;
  }
  if (open !== null) yield bodyOf(open, text.length);
}
