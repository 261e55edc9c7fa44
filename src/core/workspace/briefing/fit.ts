import { shortenQuoted } from "../../notes/quote.ts";

/** A part of a prompt under its own heading. */
export interface Section {
  /** One line, without `## `. */
  title: string;
  /** Empty if there is nothing to say yet: `(none)`. */
  body: string;
  /** The highest is left out last, and has most of the room. */
  rank: number;
  /** How many characters it cannot do without (default: what says what it is about). */
  least?: number;
  /** How to read the part that was left out. */
  rest: string;
}

/** About. */
export const CHARS_PER_TOKEN = 4;
/** With less there is no room for a task. */
export const MIN_TOKENS = 300;
/** Short enough that every client takes it whole: under 60,000. */
export const MAX_CHARS = 59_900;

const LEAST_CHARS = 200;
/** With less room than this left, no section says more. */
const MIN_GAIN = 20;

/** A section with as much of its body as there is room for. */
type Shown = Section & { text: string };

/** The whole prompt in at most `maxChars`: the least of each section, the lowest rank left out, then more by rank until it is full. */
export function fitSections(head: string, all: readonly Section[], maxChars = MAX_CHARS): string {
  const most = Math.min(maxChars, MAX_CHARS) - 1;
  const sections = all.map((section): Shown => ({ ...section, text: shortened(section, 0) }));
  const shown = new Set(sections);
  const write = () => {
    const leftOut = sections.filter((section) => !shown.has(section)).map(({ title }) => title);
    const note = `(Left out for lack of room: ${leftOut.join(", ")}. A larger max_tokens shows more.)`;
    const parts = [...shown].map(({ title, text }) => `## ${title}\n\n${text}`);
    return [head, ...parts, ...(leftOut.length > 0 ? [note] : [])].join("\n\n");
  };
  for (const section of sections.toSorted((a, b) => a.rank - b.rank))
    if (shown.size > 1 && write().length > most) shown.delete(section);
  share([...shown], most - write().length);
  return `${shortenQuoted(write(), most)}\n`;
}

/** How long the prompt is with all sections whole. */
export function sizeOf(head: string, sections: readonly Section[]): number {
  return sections.reduce((sum, { title, body }) => sum + title.length + body.length + 10, head.length);
}

/** Gives each what it lacks, or its part by rank if that is less. */
function share(sections: readonly Shown[], room: number): void {
  const lacking = ({ body, text, rank }: Shown) => (body.length - text.length) / rank;
  let left = room;
  let weight = sections.reduce((sum, { rank }) => sum + rank, 0);
  for (const section of sections.toSorted((a, b) => lacking(a) - lacking(b))) {
    const before = section.text.length;
    grow(section, Math.floor((left * section.rank) / weight));
    left -= section.text.length - before;
    weight -= section.rank;
  }
}

function grow(section: Shown, gain: number): void {
  if (gain > MIN_GAIN) section.text = shortened(section, section.text.length + gain);
}

/** The body, or as much of it as fits, and how to read the rest. */
function shortened({ body, least = LEAST_CHARS, rest }: Section, room: number): string {
  const noteOn = (left: number) =>
    `\n\n(Shortened: ${left} characters are left out here.${rest && ` ${rest}`})`;
  const text = shortenQuoted(body, Math.max(room - noteOn(body.length).length, least));
  const cut = `${text}${noteOn(body.length - text.length)}`;
  return body.length <= Math.max(room, cut.length) ? body || "(none)" : cut;
}
