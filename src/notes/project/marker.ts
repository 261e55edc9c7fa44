import { eachMarkdownLine } from "../../markdown/blocks.ts";

/** The files in which a repository names its project, in the order they are read. */
export const MARKER_FILES = ["CLAUDE.md", "AGENTS.md"] as const;

const LINK = /^ {0,3}(?:[-*+>][ \t]+|<!--[ \t]*)?[*_`]{0,3}vibe[*_`]{0,3}[ \t]*:[*_`]{0,3}[ \t]*(\S.*)$/i;

// A name has 255 bytes, and trimming takes quadratic time in the white space of a line.
const MAX_LINE_CHARS = 1_000;

export interface ProjectMarker {
  name: string;
  /** Where the notes lie, from the top of the repository (`.vibe` in `vibe: .vibe/shop`); "" if the line names no folder. */
  folder: string;
  /** The line is `[start, end)`. */
  start: number;
  end: number;
}

/** What the line says of a project in this folder of notes; "" is the person's own workspace. */
export function projectLine({ folder, name }: Pick<ProjectMarker, "folder" | "name">): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The first `vibe: <name>` or `vibe: <folder>/<name>` line outside code fences; it may stand in a list item, emphasis or an HTML comment. */
export function findProjectMarker(text: string): ProjectMarker | null {
  for (const { text: line, region, start, end } of eachMarkdownLine(text)) {
    const [, rest = ""] = region === "code" || line.length > MAX_LINE_CHARS ? [] : (LINK.exec(line) ?? []);
    const path = rest
      .replace(/\s*-->\s*$/, "")
      .replace(/^["'`*_\s]+|["'`*\s]+$/g, "")
      .trim();
    const slash = path.lastIndexOf("/");
    const [folder, name] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
    if (name !== "") return { name, folder, start, end };
  }
  return null;
}
