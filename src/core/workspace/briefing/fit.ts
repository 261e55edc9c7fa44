import { withoutHalfCharacter } from "../../notes/short-text.ts";

/** A part of a prompt under its own heading. */
export interface Section {
  /** One line, without `## `. */
  title: string;
  /** Empty if there is nothing to say yet: `(none)`. */
  body: string;
  /** The highest is shortened last. */
  rank: number;
  /** How to read the part that was left out. */
  rest: string;
  /** Whether its beginning is enough if it cannot be whole; others are cut where the room ends. */
  isWholeOrShort?: boolean;
}

/** About. */
export const CHARS_PER_TOKEN = 4;
/** With less there is no room for a task. */
export const MIN_TOKENS = 300;
/** Short enough that every client takes it whole: under 60,000. */
export const MAX_CHARS = 59_900;

/** Enough of a section to know what it is about. */
export const MIN_CHARS = 1_200;
const NOTICE_CHARS = 80;
/** Room for the line that names the sections left out. */
const LEFT_OUT_CHARS = 300;

/** The whole prompt in at most `maxChars`: sections are shortened, then left out, the lowest rank first. */
export function fitSections(head: string, all: readonly Section[], maxChars = MAX_CHARS): string {
  const sections = all.map((section) => ({ ...section, body: section.body || "(none)" }));
  const most = Math.min(maxChars, MAX_CHARS);
  const byRank = sections.toSorted((a, b) => a.rank - b.rank);
  const limits = new Map(sections.map((section) => [section, Math.min(section.body.length, MIN_CHARS)]));
  const room = () =>
    [...limits].reduce(
      (rest, [{ title }, limit]) => rest - title.length - 10 - limit,
      most - head.length - LEFT_OUT_CHARS,
    );
  for (const section of byRank) if (limits.size > 1 && room() < 0) limits.delete(section);
  for (const section of byRank.reverse()) {
    const limit = limits.get(section);
    if (limit === undefined) continue;
    const most = limit + Math.max(0, room());
    const { body, isWholeOrShort } = section;
    if (!isWholeOrShort || body.length <= most) limits.set(section, Math.min(body.length, most));
  }
  const parts = [...limits].map(([section, limit]) => renderSection(section, limit));
  const leftOut = sections.filter((section) => !limits.has(section)).map(({ title }) => title);
  if (leftOut.length > 0) parts.push(`(Left out for lack of room: ${leftOut.join(", ")}.)`);
  return `${cutAtLine([head, ...parts].join("\n\n"), most - 1)}\n`;
}

/** How long the prompt is with all sections whole. */
export function sizeOf(head: string, sections: readonly Section[]): number {
  return sections.reduce((sum, { title, body }) => sum + title.length + body.length + 10, head.length);
}

function renderSection({ title, body, rest }: Section, limit: number): string {
  if (body.length <= limit) return `## ${title}\n\n${body}`;
  const start = cutAtLine(body, limit - rest.length - NOTICE_CHARS);
  return `## ${title}\n\n${start}\n\n(Shortened: ${body.length - start.length} characters are left out here. ${rest})`;
}

/** The first whole lines of a text; a quoted line longer than all lines before it is cut inside. */
function cutAtLine(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, Math.max(0, limit));
  const newline = head.lastIndexOf("\n");
  const isQuote = head.startsWith(">", newline + 1);
  if (isQuote && newline < limit / 2) return `${withoutHalfCharacter(head).trimEnd()}…`;
  return head.slice(0, Math.max(0, newline)).trimEnd();
}
