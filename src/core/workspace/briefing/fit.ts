import { BYTES_PER_TOKEN, byteLength } from "../../lib/text.ts";
import { shortenQuoted } from "../../notes/quote.ts";

/** A part of a prompt under its own heading. */
export interface Section {
  /** One line, without `## `. */
  title: string;
  /** Empty if there is nothing to say yet: `(none)`. */
  body: string;
  /** The highest is left out last, and has most of the room. */
  rank: number;
  /** What size it cannot do without (default: what says what it is about). */
  least?: number;
  /** How to read the part that was left out. */
  rest: string;
}

/** With less there is no room for a task. */
export const MIN_TOKENS = 300;
/** Short enough that every client takes it whole: under 60,000. */
const MAX_CHARS = 59_900;

const LEAST_SIZE = 200;
/** With less room than this left, no section says more. */
const MIN_GAIN = 20;

/** What a prompt may take. */
export interface Room {
  most: number;
  sizeOf: (text: string) => number;
}

const LONGEST: Room = { most: MAX_CHARS, sizeOf: ({ length }) => length };

/** A section with as much of its body as there is room for. */
type Shown = Section & { text: string };

/** Has a prompt written that takes at most `maxTokens` (default: as long as clients take it). */
export function withinTokens(maxTokens: number | undefined, write: (room: Room) => string): string {
  if (maxTokens === undefined) return write(LONGEST);
  let most = Math.min(maxTokens * BYTES_PER_TOKEN, MAX_CHARS);
  for (;;) {
    const text = write({ most, sizeOf: byteLength });
    const size = byteLength(text);
    if (size <= maxTokens * BYTES_PER_TOKEN) return text;
    // What is kept of a body may have longer characters than the rest.
    most = Math.floor((most * maxTokens * BYTES_PER_TOKEN) / size);
  }
}

/** The whole prompt in the room: the least of each section, the lowest rank left out, then more by rank until it is full. */
export function fitSections(head: string, all: readonly Section[], room = LONGEST): string {
  const { sizeOf } = room;
  const most = room.most - 1;
  const sections = all.map((section): Shown => ({ ...section, text: shortened(section, 0, sizeOf) }));
  const shown = new Set(sections);
  const write = () => {
    const leftOut = sections.filter((section) => !shown.has(section)).map(({ title }) => title);
    const note = `(Left out for lack of room: ${leftOut.join(", ")}. A larger max_tokens shows more.)`;
    const parts = [...shown].map(({ title, text }) => `## ${title}\n\n${text}`);
    return [head, ...parts, ...(leftOut.length > 0 ? [note] : [])].join("\n\n");
  };
  for (const section of sections.toSorted((a, b) => a.rank - b.rank))
    if (shown.size > 1 && sizeOf(write()) > most) shown.delete(section);
  share([...shown], { most: most - sizeOf(write()), sizeOf });
  const text = write();
  return `${shortenQuoted(text, charsIn(text, most, sizeOf))}\n`;
}

/** Whether the prompt has room for all sections whole. */
export function fitsWhole(head: string, sections: readonly Section[], { most, sizeOf }: Room): boolean {
  const size = sections.reduce(
    (sum, { title, body }) => sum + sizeOf(title) + sizeOf(body) + 10,
    sizeOf(head),
  );
  return size <= most;
}

/** Gives each what it lacks, or its part by rank if that is less. */
function share(sections: readonly Shown[], { most, sizeOf }: Room): void {
  const lacking = ({ body, text, rank }: Shown) => (sizeOf(body) - sizeOf(text)) / rank;
  let left = most;
  let weight = sections.reduce((sum, { rank }) => sum + rank, 0);
  for (const section of sections.toSorted((a, b) => lacking(a) - lacking(b))) {
    const before = sizeOf(section.text);
    const gain = Math.floor((left * section.rank) / weight);
    if (gain > MIN_GAIN) section.text = shortened(section, before + gain, sizeOf);
    left -= sizeOf(section.text) - before;
    weight -= section.rank;
  }
}

/** The body, or as much of it as fits, and how to read the rest. */
function shortened(
  { body, least = LEAST_SIZE, rest }: Section,
  size: number,
  sizeOf: Room["sizeOf"],
): string {
  const noteOn = (left: number) =>
    `\n\n(Shortened: ${left} characters are left out here.${rest && ` ${rest}`})`;
  const own = Math.max(size - sizeOf(noteOn(body.length)), least);
  const text = shortenQuoted(body, charsIn(body, own, sizeOf));
  const cut = `${text}${noteOn(body.length - text.length)}`;
  return sizeOf(body) <= Math.max(size, sizeOf(cut)) ? body || "(none)" : cut;
}

/** How many characters of a text take a size. */
function charsIn(text: string, size: number, sizeOf: Room["sizeOf"]): number {
  return text === "" ? size : Math.floor((size * text.length) / sizeOf(text));
}
