import { embedText, oneLine } from "../../markdown/embed.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { appendToSection, appendToText } from "../../markdown/section-edit.ts";
import { findNamedSection, outlineOf, SECTION_NAMES } from "../words/section-names.ts";

/** The text of a task with a dated line in its notes; `writer` may be unknown. */
export function addNoteLine(
  text: string,
  { day, writer, note }: { day: string; writer: string | undefined; note: string },
): string {
  const line = embedText(oneLine(note), () => false);
  if (line === "") return text;
  const item = `- ${[day, writer].filter(Boolean).join(", ")}: ${line}`;
  const section = findNamedSection(outlineOf(text, parseFrontmatter(text).bodyOffset), SECTION_NAMES.notes);
  return section === null ? appendToText(text, `## Notes\n\n${item}`) : appendToSection(text, section, item);
}
