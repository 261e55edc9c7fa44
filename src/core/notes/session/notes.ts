import { eachMarkdownLine, type MarkdownLine } from "../../markdown/blocks.ts";
import { findHeadings, type Heading, outlineText } from "../../markdown/headings.ts";
import { trimBlankLines } from "../../markdown/lines.ts";
import { headingLine } from "../../markdown/sections.ts";
import { fall, timeOfLine } from "../days.ts";
import { labelKey } from "../short-text.ts";
import { byMeaning } from "../words/languages.ts";
import type { SessionPart } from "../words/type.ts";
import { blockMark, type Sign, signedBlocks } from "./captured-block.ts";

/** The text of a session note by its headings; `""` for a missing part. */
export interface SessionNotes {
  /** What the person asked in the session that this machine captured last. */
  asked: string;
  /** What they asked, by a later block that this machine did not write, or that was changed since. */
  claimed: string;
  done: string;
  blocked: string;
  next: string;
  /** Everything else. */
  other: string;
}

type Part = keyof SessionNotes;

const PARTS = byMeaning(({ session }) => session);

/** `Next: write tests`, also as a list item or with emphasis. */
const LABEL = /^ {0,3}(?:[-*+][ \t]{1,4})?[*_]{0,3}([^*_:：]{1,40})[*_]{0,3}[:：][*_]{0,3}(.*)$/u;
/** Between a sentence and a label behind it: `Rotated the keys. Next: the audit log.` */
const SENTENCE = /(?<=[.!?][*_]{0,3}[ \t]|[。！？][*_]{0,3})[ \t\u3000]{0,3}(?=[^.!?。！？:：]{1,40}[:：])/gu;
const MAX_LABEL_CHARS = 60;
const TIME = /^\*\*(\d{2}:\d{2}(?::\d{2})?)\*\*\s*$/;

interface LineState {
  lines: Record<Part, string[]>;
  part: Part;
  /** The level of the heading that began the part: deeper ones belong to it. */
  level: number;
  /** Where in a captured block the line is, if in one. */
  captured: "head" | "asked" | "rest" | null;
  /** Where the blocks of this machine begin, and whether the line is in one. */
  own: ReadonlySet<number>;
  isOwn: boolean;
}

/** Without `sign`, this machine wrote none of the captured blocks. */
export function parseSessionNotes(text: string, bodyOffset: number, sign?: Sign): SessionNotes {
  const lines = { asked: [], claimed: [], done: [], blocked: [], next: [], other: [] };
  const own = sign === undefined ? new Set<number>() : signedBlocks(text, sign);
  const reading: LineState = { lines, own, isOwn: false, part: "other", level: 7, captured: null };
  const headings = findHeadings(text, bodyOffset).values();
  let heading = headings.next().value;
  let before: MarkdownLine | undefined;
  for (const line of eachMarkdownLine(outlineText(text), bodyOffset)) {
    if (heading !== undefined && line.start >= heading.start) {
      if (line.start === heading.start) readHeading(reading, heading);
      if (line.next >= heading.end) heading = headings.next().value;
    } else if (noteTime(before, line) !== null) {
      reading.lines[reading.part].pop();
      Object.assign(reading, { part: "other", level: 7 });
    } else if (!readBlockLine(reading, line)) readLine(reading, line);
    before = line;
  }
  const { asked, claimed, done, blocked, next, other } = reading.lines;
  return {
    asked: joined(asked),
    claimed: joined(claimed),
    done: joined(done),
    blocked: joined(blocked),
    next: joined(next),
    other: joined(other),
  };
}

/** The notes of a day, oldest first: each from its time on, be it under a ruler or in a heading. */
export function sessionEntries(text: string, bodyOffset: number): string[] {
  const starts: [start: number, time: string | null][] = [[bodyOffset, null]];
  let before: MarkdownLine | undefined;
  for (const line of eachMarkdownLine(outlineText(text), bodyOffset)) {
    const ruled = noteTime(before, line);
    const time = ruled ?? (line.kind === "atx" && line.depth === 0 ? timeOfLine(line.text) : null);
    if (time !== null) starts.push([ruled === null ? line.start : (before?.start ?? line.start), time]);
    before = line;
  }
  const entries = starts.map(([start], at) => text.slice(start, starts[at + 1]?.[0]));
  return fall(starts.map(([, time]) => time)) ? entries.reverse() : entries;
}

const ASKED = /^\*\*Asked:\*\*[ \t]*$/;
const QUOTED = /^> ?/;

/** Reads a line of a captured block; false if it is none, or one like any other. */
function readBlockLine(reading: LineState, { text, region, start }: MarkdownLine): boolean {
  const mark = region === "comment" ? blockMark(text) : undefined;
  if (mark !== undefined) {
    const captured = mark === "opens" ? "head" : null;
    Object.assign(reading, { captured, isOwn: reading.own.has(start), part: "other", level: 7 });
    return true;
  }
  if (readAskedLine(reading, text)) return true;
  if (reading.captured !== "rest") return false;
  // The words of the agent may name what comes next, as a note would.
  if (!QUOTED.test(text)) Object.assign(reading, { part: "other", level: 7 });
  const words = text.replace(QUOTED, "");
  for (const part of labelledParts(words)) readText(reading, part);
  return true;
}

/** What the person asked, up to the next blank line. */
function readAskedLine(reading: LineState, text: string): boolean {
  if (reading.captured === "head" && ASKED.test(text)) {
    reading.captured = "asked";
    // A block of this machine is newer than what others claimed before it.
    if (reading.isOwn) reading.lines.asked = [];
    reading.lines.claimed = [];
  } else if (reading.captured !== "asked") return false;
  else if (text.trim() === "") reading.captured = "rest";
  else reading.lines[reading.isOwn ? "asked" : "claimed"].push(text);
  return true;
}

function readHeading(reading: LineState, heading: Heading): void {
  const part = partOf(heading.text);
  if (part === undefined && reading.part !== "other" && heading.level > reading.level) {
    reading.lines[reading.part].push(headingLine(heading));
    return;
  }
  reading.part = part ?? "other";
  reading.level = heading.level;
  // The note's own title says no more than its date.
  if (part === undefined && heading.level > 1) reading.lines.other.push(headingLine(heading));
}

function readLine(reading: LineState, line: MarkdownLine): void {
  if (line.region !== "text") reading.lines[reading.part].push(line.text);
  else for (const text of labelledParts(line.text)) readText(reading, text);
}

/** The line, cut before each sentence that begins with the label of a part. */
function labelledParts(line: string): string[] {
  const starts = [...line.matchAll(SENTENCE)]
    .map((gap) => gap.index + gap[0].length)
    .filter((start) => labelOf(line.slice(start, start + MAX_LABEL_CHARS)) !== undefined);
  return [0, ...starts].map((start, at) => {
    const next = starts[at];
    return next === undefined ? line.slice(start) : line.slice(start, next).trimEnd();
  });
}

function readText(reading: LineState, text: string): void {
  const label = labelOf(text);
  if (label === undefined) reading.lines[reading.part].push(text);
  else if (label.rest === "") Object.assign(reading, { part: label.part, level: 7 });
  else reading.lines[label.part].push(`- ${label.rest}`);
}

function labelOf(text: string) {
  const [, label = "", rest = ""] = LABEL.exec(text) ?? [];
  const part = label === "" ? undefined : partOf(label);
  return part === undefined ? undefined : { part, rest: rest.trim() };
}

function partOf(label: string): SessionPart | undefined {
  return PARTS.get(labelKey(label));
}

/** The time that a note begins with, if the line does and stands under a ruler; else null. */
export function noteTime(before: MarkdownLine | undefined, line: MarkdownLine): string | null {
  return before !== undefined && isRuler(before) ? (TIME.exec(line.text)?.[1] ?? null) : null;
}

function isRuler({ text, region }: MarkdownLine): boolean {
  return region === "text" && /^---[ \t]*$/.test(text);
}

function joined(lines: string[]): string {
  return trimBlankLines(lines.join("\n"));
}
