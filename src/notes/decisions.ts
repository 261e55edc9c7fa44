import { type Heading, trackedHeadings } from "../markdown/headings.ts";
import { trimBlankLines } from "../markdown/lines.ts";
import { labelKey } from "./short-text.ts";

/** In the form of `labelKey`. */
const NAMES: ReadonlySet<string> = new Set([
  ...["decisions", "decision", "key decisions", "recent decisions", "decisions made", "decisions taken"],
  ...["design decisions", "technical decisions", "decision log"],
  ...["decisiones", "decision", "decisiones tomadas", "decisiones recientes", "decisiones clave"],
  ...["decisiones tecnicas", "decisiones de diseno"],
  ...["決定事項", "決定", "決めたこと", "決まったこと", "意思決定", "設計上の決定"],
]);

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
