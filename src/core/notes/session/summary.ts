import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { plainLine } from "../plain-line.ts";
import { hasWord, shorten } from "../short-text.ts";
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
  const lines = (claimed || done || withoutBlockMarks(other)).split("\n").map(plainLine).filter(hasWord);
  return {
    lines: [...new Set(lines)].slice(0, MAX_LINES).map((line) => shorten(line, MAX_LINE_CHARS)),
    holders: blockHolders(text),
  };
}
