import { BOX } from "../../markdown/box.ts";

/** The lines of a note that say something, with how often each stands there. */
export interface Lines {
  counts: ReadonlyMap<string, number>;
  /** How many there are, and of how many characters. */
  count: number;
  size: number;
}

/** What many notes have, whatever they are about: headings, and the line of the status. */
const FORM = /^(?:#{1,6}\s|status:)/i;
const MARKERS = new RegExp(`^(?:[-*+]|\\d{1,9}[.)])?\\s*(?:${BOX}\\s)?\\s*`, "u");

/** A step that was ticked or got another number is still the same line. */
export function linesOf(text: string): Lines {
  const counts = new Map<string, number>();
  let [count, size] = [0, 0];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const words = FORM.test(line) ? "" : line.replace(MARKERS, "");
    if (!/[\p{L}\p{N}]/u.test(words)) continue;
    counts.set(words, (counts.get(words) ?? 0) + 1);
    count++;
    size += words.length;
  }
  return { counts, count, size };
}

/** The part of the longer note that the other has too, from 0 to 1: of its lines, and of its characters. */
export function likeness(a: Lines, b: Lines): { lines: number; characters: number } {
  const [few, many] = a.counts.size < b.counts.size ? [a, b] : [b, a];
  let [count, size] = [0, 0];
  for (const [line, times] of few.counts) {
    const both = Math.min(times, many.counts.get(line) ?? 0);
    count += both;
    size += both * line.length;
  }
  return {
    lines: count / Math.max(a.count, b.count, 1),
    characters: size / Math.max(a.size, b.size, 1),
  };
}

/** Half of the lines or characters, as git has it; the same name or number counts like a quarter. */
const ENOUGH = 0.5;
const NAMED = 0.25;

/** How much two notes have in common; `isNamed` if they have one name or number. */
export function scoreOf(a: Lines, b: Lines, isNamed: boolean): number {
  const { lines, characters } = likeness(a, b);
  return Math.max(lines, characters + (isNamed ? NAMED : 0));
}

/** Whether they may be one note, before and after a change. */
export function isEnough(score: number): boolean {
  return score >= ENOUGH;
}
