import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { embedText, oneLine } from "../../markdown/embed.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { appendToSection, appendToText } from "../../markdown/section-edit.ts";
import { dayOfLine, fall } from "../days.ts";
import { plainLine } from "../plain-line.ts";
import { hasWord } from "../short-text.ts";
import { findNamedSection, outlineOf, SECTION_NAMES } from "../words/section-names.ts";
import { type ClaimedTask, isSameOwner } from "./claim.ts";

/** The text of a task with a dated line in its notes; `writer` may be unknown. */
export function addNoteLine(
  text: string,
  { day, writer, note }: { day: string; writer: string | undefined; note: string },
): string {
  const line = embedText(oneLine(note), () => false);
  if (line === "") return text;
  const item = `- ${[day, oneLine(writer ?? "")].filter(Boolean).join(", ")}: ${line}`;
  const section = notesOf(text);
  return section === null ? appendToText(text, `## Notes\n\n${item}`) : appendToSection(text, section, item);
}

/** The newest line of a task's notes, as plain text. */
export function lastNote(text: string): string | undefined {
  const section = notesOf(text);
  const lines = section === null ? [] : text.slice(section.bodyStart, section.end).split("\n");
  const words = lines.map(plainLine).filter(hasWord);
  return fall(words.map(dayOfLine)) ? words[0] : words.at(-1);
}

function notesOf(text: string) {
  return findNamedSection(outlineOf(text, parseFrontmatter(text).bodyOffset), SECTION_NAMES.notes);
}

/** A dated line under the notes of a task, by someone with a name. */
export interface NoteLine {
  day: string;
  writer: string;
  note: string;
}

const LINE = /^- (\d{4}-\d{2}-\d{2}), (.{1,100}?): (.+)$/;

/** The lines that `addNoteLine` wrote, but for those of `except`, the owner of the task. */
export function noteLines(text: string, except: string | null): NoteLine[] {
  const section = notesOf(text);
  if (section === null) return [];
  return [...eachMarkdownLine(text, section.bodyStart, section.end)].flatMap(({ text: line, region }) => {
    const [, day = "", writer = "", note = ""] = (region === "text" && LINE.exec(line.trimEnd())) || [];
    return note === "" || isSameOwner(writer, except) ? [] : [{ day, writer, note }];
  });
}

/** What a dated line says, without its day and writer. */
export function saidIn(line: string): string {
  return line.replace(/^\d{4}-\d{2}-\d{2}(?:, .{1,100}?)?: /, "");
}

const MAX_LAST = 3;

/** The last lines that others wrote to the owner of a task; of one that came back, since that day. */
export function lastNoteLines(text: string, { owner, returned = "" }: ClaimedTask): NoteLine[] {
  const lines = noteLines(text, owner).filter(({ day }) => day >= returned);
  return lines.slice(-MAX_LAST);
}
