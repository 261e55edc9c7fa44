import { BOX } from "../../markdown/box.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { shorten } from "../short-text.ts";
import { blockHolders, type Holder, withoutBlockMarks } from "./captured-block.ts";
import { parseSessionNotes } from "./notes.ts";

/** What a list says about a session note. */
export interface SessionSummary {
  /** What the person asked last, else what was done, else how the note begins; at most three short lines, each once. */
  lines: string[];
  /** Who held the sessions that were captured in it, each once. */
  holders: Holder[];
}

const MAX_LINES = 3;
const MAX_LINE_CHARS = 120;

export function summarizeSession(text: string): SessionSummary {
  const { claimed, done, other } = parseSessionNotes(text, parseFrontmatter(text).bodyOffset);
  const lines = (claimed || done || withoutBlockMarks(other))
    .split("\n")
    .map(withoutMarks)
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return {
    lines: [...new Set(lines)].slice(0, MAX_LINES).map((line) => shorten(line, MAX_LINE_CHARS)),
    holders: blockHolders(text),
  };
}

const MARKS = new RegExp(`^\\s{0,20}(?:(?:#{1,6}|[-*+>]|\\d{1,9}[.)])\\s{1,8}|${BOX}\\s)*`, "u");

/** A line without the marks of a heading, list, quote or box, of emphasis and code, and of links. */
function withoutMarks(line: string): string {
  return line
    .replace(MARKS, "")
    .replace(/\[\[(?:[^[\]|\n]{0,300}\|)?([^[\]\n]{0,300})\]\]/g, "$1")
    .replace(/\[([^[\]\n]{0,300})\]\([^()\n]{0,300}\)/g, "$1")
    .replace(/\*\*|__|`|\\(?=[[<`*_#>])/g, "")
    .trim();
}
