import { leadingDate } from "../../lib/clock.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { closingLine, withClosingLine } from "../../markdown/blocks.ts";
import { lineEnding, withLineEndings } from "../../markdown/line-endings.ts";
import { trimBlankLines } from "../../markdown/lines.ts";
import { baseName, hyphenate } from "../names.ts";

/** The day of a session file (`2025-02-09.md`, `2025-02-09-debugging.md`). */
export function sessionDate(filename: string): string | null {
  return leadingDate(baseName(filename));
}

/** Whether a path leads into a folder of sessions, also one of a repository. */
export function isSessionPath(path: string): boolean {
  return /(?:^|\/)sessions\/[^/]+$/.test(path.replaceAll("\\", "/"));
}

/** `2025-02-09.md`, or `2025-02-09-debugging-auth.md` if the suffix has a letter or digit. */
export function sessionFilename(date: string, suffix = ""): string {
  const words = hyphenate(withoutMarkdownExtension(suffix.trim()));
  return words === "" ? `${date}.md` : `${date}-${words}.md`;
}

export function sessionTitle(date: string): string {
  return `# Session Log - ${date}`;
}

/** The first note of a day, always under the header of its date. */
export function renderSession(date: string, content: string): string {
  const note = withClosingLine(withLineEndings(trimBlankLines(content), "\n"));
  return `${sessionTitle(date)}\n\n${note}\n`;
}

/** The text with another note, after a ruler and the time of day (`14:30:15`). */
export function appendSession(text: string, content: string, time: string): string {
  const ending = lineEnding(text);
  const note = `---\n**${time}**\n\n${withClosingLine(trimBlankLines(content))}\n`;
  const before = withClosing(text, ending);
  return before + gapAfter(before, ending) + withLineEndings(note, ending);
}

/** A fence or a comment that an earlier note left open would hide the ones after it. */
function withClosing(text: string, ending: string): string {
  const closing = closingLine(text);
  if (closing === null) return text;
  return `${text}${text.endsWith("\n") ? "" : ending}${closing}${ending}`;
}

/** The line ends up to a blank line: right under a paragraph, the ruler would turn it into a heading. */
function gapAfter(text: string, ending: string): string {
  if (/\n[ \t]*\r?\n$/.test(text.slice(-200))) return "";
  return text === "" || text.endsWith("\n") ? ending : ending + ending;
}
