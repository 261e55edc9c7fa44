import { findHeadings, type Heading } from "../markdown/headings.ts";
import { trimBlankLines } from "../markdown/lines.ts";
import { labelKey } from "./labels.ts";

/** As `labelKey` gives them. */
const NAMES: ReadonlySet<string> = new Set([
  ...["decisions", "decision", "key decisions", "recent decisions", "decisions made", "decisions taken"],
  ...["design decisions", "technical decisions", "decision log"],
  ...["decisiones", "decision", "decisiones tomadas", "decisiones recientes", "decisiones clave"],
  ...["decisiones tecnicas", "decisiones de diseno"],
  ...["決定事項", "決定", "決めたこと", "決まったこと", "意思決定", "設計上の決定"],
]);

// A session note that goes on later that day: what follows is not part of the section before it.
const LATER_ENTRY = /^---[ \t]*\r?\n\*\*\d{2}:\d{2}(?::\d{2})?\*\*/m;

/** The text under the headings that hold decisions; `""` where there is none. */
export function findDecisions(text: string, bodyOffset: number): string {
  const headings = findHeadings(text, bodyOffset);
  const bodies: string[] = [];
  let from = 0;
  headings.forEach((heading, at) => {
    if (heading.start < from || !NAMES.has(labelKey(heading.text))) return;
    from = sectionEnd(headings, at, text.length);
    const body = text.slice(heading.end, from);
    bodies.push(trimBlankLines(body.split(LATER_ENTRY, 1)[0] ?? ""));
  });
  return bodies.filter((body) => body !== "").join("\n\n");
}

function sectionEnd(headings: readonly Heading[], at: number, textEnd: number): number {
  const level = headings[at]?.level ?? 1;
  return headings.slice(at + 1).find((heading) => heading.level <= level)?.start ?? textEnd;
}
