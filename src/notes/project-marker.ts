import { eachMarkdownLine } from "../markdown/blocks.ts";

/** The files in which a repository names its project, in the order they are read. */
export const MARKER_FILES = ["CLAUDE.md", "AGENTS.md"] as const;

const LINK = /^ {0,3}(?:[-*+>][ \t]+|<!--[ \t]*)?[*_`]{0,3}vibe[*_`]{0,3}[ \t]*:[*_`]{0,3}[ \t]*(\S.*)$/i;

// A name has 255 bytes, and trimming takes quadratic time in the white space of a line.
const MAX_LINE_CHARS = 1_000;

interface ProjectMarker {
  name: string;
  /** The line is `[start, end)`. */
  start: number;
  end: number;
}

/** The first `vibe: <name>` line outside code fences; it may stand in a list item, emphasis or an HTML comment. */
export function findProjectMarker(text: string): ProjectMarker | null {
  for (const { text: line, region, start, end } of eachMarkdownLine(text)) {
    const [, rest = ""] = region === "code" || line.length > MAX_LINE_CHARS ? [] : (LINK.exec(line) ?? []);
    const name = rest
      .replace(/\s*-->\s*$/, "")
      .replace(/^["'`*_\s]+|["'`*\s]+$/g, "")
      .trim();
    if (name !== "") return { name, start, end };
  }
  return null;
}
