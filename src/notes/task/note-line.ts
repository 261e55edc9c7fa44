import { embedText, oneLine } from "../../markdown/embed.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { appendToSection, appendToText } from "../../markdown/section-edit.ts";
import { plainLine } from "../plain-line.ts";
import { hasWord } from "../short-text.ts";
import { findNamedSection, outlineOf, SECTION_NAMES } from "../words/section-names.ts";

/** The text of a task with a dated line in its notes; `writer` may be unknown. */
export function addNoteLine(
  text: string,
  { day, writer, note }: { day: string; writer: string | undefined; note: string },
): string {
  const line = embedText(oneLine(note), () => false);
  if (line === "") return text;
  const item = `- ${[day, writer].filter(Boolean).join(", ")}: ${line}`;
  const section = notesOf(text);
  return section === null ? appendToText(text, `## Notes\n\n${item}`) : appendToSection(text, section, item);
}

/** The last line of a task's notes, as plain text. */
export function lastNote(text: string): string | undefined {
  const section = notesOf(text);
  const lines = section === null ? [] : text.slice(section.bodyStart, section.end).split("\n");
  return lines.map(plainLine).findLast(hasWord);
}

function notesOf(text: string) {
  return findNamedSection(outlineOf(text, parseFrontmatter(text).bodyOffset), SECTION_NAMES.notes);
}
