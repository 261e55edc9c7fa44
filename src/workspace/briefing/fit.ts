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

/** The whole prompt, at most `MAX_CHARS` long: sections are shortened in the order of their rank. */
export function fitSections(head: string, sections: readonly Section[]): string {
  const limits = new Map(sections.map((section) => [section, section.body.length]));
  const fixed = sections.reduce((sum, { title }) => sum + title.length + 10, head.length);
  const total = () => [...limits.values()].reduce((sum, length) => sum + length, fixed);
  for (const section of [...sections].sort((a, b) => a.rank - b.rank)) {
    const excess = total() - MAX_CHARS;
    if (excess <= 0) break;
    if (section.body.length <= KEPT_CHARS) continue;
    limits.set(section, Math.max(KEPT_CHARS, section.body.length - excess));
  }
  const parts = sections.map((section) => renderSection(section, limits.get(section) ?? 0));
  return `${cutAtLine([head, ...parts].join("\n\n"), MAX_CHARS)}\n`;
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
