import { withoutHalfCharacter } from "../../domain/words.ts";

/** A part of a prompt under its own heading. */
export interface Section {
  /** One line, without `## `. */
  title: string;
  body: string;
  /** What is shortened last has the highest. */
  rank: number;
  /** How to read what was left out. */
  rest: string;
}

/** Short enough that every client takes it whole: under 60,000. */
export const MAX_CHARS = 59_900;

// Enough of a section to know what it is about.
const KEPT_CHARS = 1_200;
const NOTICE_CHARS = 80;
/** Room for the line that names the sections which are left out. */
const LEFT_OUT_CHARS = 300;

/** The whole prompt, at most `maxChars` long: sections are shortened in the order of their rank, then left out in it. */
export function fitSections(head: string, sections: readonly Section[], maxChars = MAX_CHARS): string {
  const most = Math.min(maxChars, MAX_CHARS);
  const kept = [...sections];
  const byRank = [...sections].sort((a, b) => a.rank - b.rank);
  while (kept.length > 1 && leastLength(head, kept) > most) {
    const [least] = byRank.splice(0, 1);
    kept.splice(kept.indexOf(least as Section), 1);
  }
  const limits = shortened(head, kept, most);
  const parts = kept.map((section) => renderSection(section, limits.get(section) ?? 0));
  return `${cutAtLine([head, ...parts, ...leftOut(sections, kept)].join("\n\n"), most - 1)}\n`;
}

/** How long the sections are when each is shortened as far as it may be. */
function leastLength(head: string, sections: readonly Section[]): number {
  const bodies = sections.reduce((sum, { body }) => sum + Math.min(body.length, KEPT_CHARS), 0);
  return fixedLength(head, sections) + bodies;
}

function fixedLength(head: string, sections: readonly Section[]): number {
  return sections.reduce((sum, { title }) => sum + title.length + 10, head.length + LEFT_OUT_CHARS);
}

/** How long the body of each may be. */
function shortened(head: string, sections: readonly Section[], most: number): Map<Section, number> {
  const limits = new Map(sections.map((section) => [section, section.body.length]));
  const fixed = fixedLength(head, sections);
  const total = () => [...limits.values()].reduce((sum, length) => sum + length, fixed);
  for (const section of [...sections].sort((a, b) => a.rank - b.rank)) {
    const excess = total() - most;
    if (excess <= 0) break;
    if (section.body.length <= KEPT_CHARS) continue;
    limits.set(section, Math.max(KEPT_CHARS, section.body.length - excess));
  }
  return limits;
}

function leftOut(sections: readonly Section[], kept: readonly Section[]): string[] {
  const titles = sections.filter((section) => !kept.includes(section)).map(({ title }) => title);
  return titles.length === 0 ? [] : [`(Left out for lack of room: ${titles.join(", ")}.)`];
}

function renderSection({ title, body, rest }: Section, limit: number): string {
  if (body.length <= limit) return `## ${title}\n\n${body}`;
  const kept = cutAtLine(body, limit - rest.length - NOTICE_CHARS);
  return `## ${title}\n\n${kept}\n\n(Shortened: ${body.length - kept.length} characters are left out here. ${rest})`;
}

/** Whole lines of a text; a quoted line that is longer than all the others together is cut itself. */
function cutAtLine(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.max(0, limit));
  const newline = head.lastIndexOf("\n");
  const isQuote = head.startsWith(">", newline + 1);
  if (isQuote && newline < limit / 2) return `${withoutHalfCharacter(head).trimEnd()}…`;
  return head.slice(0, Math.max(0, newline)).trimEnd();
}
