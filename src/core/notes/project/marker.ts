import { eachMarkdownLine } from "../../markdown/blocks.ts";

/** The files that clients read of a folder, in which one may name its project; what is a person's own alone comes first. */
export const MARKER_FILES = ["CLAUDE.local.md", "CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md"];

/** Those that a team shares, in the order in which an existing one gets the block; the first is made if there is none. */
export const SHARED_FILES = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md"] as const;

const DOCS = /^ {0,3}(?:[-*+>][ \t]+|<!--[ \t]*)?vibe-docs[ \t]*:[ \t]*(\S.*)$/i;
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

/** A line `vibe-docs: docs, adr` and what it names: of a repository's documents only these belong to its project. */
export function findDocsLine(text: string): { line: string; names: string[] } | undefined {
  for (const { text: line, region } of eachMarkdownLine(text)) {
    const found = region === "code" || line.length > MAX_LINE_CHARS ? null : DOCS.exec(line);
    if (found === null) continue;
    const names = (found[1] ?? "")
      .replace(/-->\s*$/, "")
      .split(",")
      .map((name) => name.trim().replace(/^`|`$/g, "").replace(/^\.\//, "").replace(/\/+$/, ""))
      .filter((name) => name !== "");
    return { line, names };
  }
  return undefined;
}
