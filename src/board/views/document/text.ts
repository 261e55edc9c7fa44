import { withoutMark } from "../../../core/lib/text.ts";
import { conflictSides, type SidedConflict } from "../../../core/markdown/conflicts.ts";
import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { lineEnding } from "../../../core/markdown/line-endings.ts";
import { MARKERS } from "../../../core/markdown/merge-lines.ts";
import { commonEnds } from "../../../core/markdown/merge-regions.ts";
import { readMetadata } from "../../../core/notes/document.ts";
import { nameOfKey } from "../../../core/notes/field-names.ts";
import { labelsIn } from "../../../core/notes/task/labels.ts";
import { findStatusLine } from "../../../core/notes/task/status-line.ts";
import { normalizeStatus } from "../../../core/notes/task/status-word.ts";
import { isTaskStatus } from "../../../core/notes/task/statuses.ts";

/** What a text field shows of a file's text: one kind of line ending, no byte order mark. */
export function typedText(raw: string): string {
  return withoutMark(raw).replace(/\r\n?/g, "\n");
}

/** The file's text after someone typed `typed` over it: all that they left alone stays, byte for byte. */
export function applyTyped(raw: string, typed: string): string {
  const shown = typedText(raw);
  const most = Math.min(shown.length, typed.length);
  let start = 0;
  while (start < most && shown[start] === typed[start]) start++;
  let end = 0;
  while (end < most - start && shown.at(-1 - end) === typed.at(-1 - end)) end++;
  const before = raw.slice(0, rawOffset(raw, start));
  const after = raw.slice(rawOffset(raw, shown.length - end));
  const middle = typed.slice(start, typed.length - end).replaceAll("\n", lineEnding(raw));
  return joined(joined(before, middle), after);
}

/** Two line ends that meet stay two. */
function joined(left: string, right: string): string {
  return left + (left.endsWith("\r") && right.startsWith("\n") ? "\r" : "") + right;
}

/** Where the character at `offset` of `typedText(raw)` stands in `raw`. */
function rawOffset(raw: string, offset: number): number {
  let at = raw.startsWith("\uFEFF") ? 1 : 0;
  for (let left = offset; left > 0; left--) at += raw.startsWith("\r\n", at) ? 2 : 1;
  return at;
}

/** The conflicts of a text that its base does not have: the others wait for another day. */
export function addedConflicts(base: string, text: string): SidedConflict[] {
  const known = new Set(conflictSides(base).map(({ start, end }) => base.slice(start, end)));
  return conflictSides(text).filter(({ start, end }) => !known.has(text.slice(start, end)));
}

/** How many lines that others wrote since `base` are in a merged text without waiting for a choice. */
export function mergedLines(base: string, theirs: string, text: string): number {
  const linesOf = (one: string) => typedText(one).split("\n");
  const open = addedConflicts(base, text).map((conflict) => conflict.theirs.text);
  const others = new Set([base, ...open].flatMap(linesOf));
  return linesOf(theirs).filter((line) => !others.has(line)).length;
}

/** Two texts, each as what both begin with, what differs in whole words, and what both end with. */
export function differing(one: string, other: string) {
  const [a = [], b = []] = [one, other].map((text) => text.match(/[\p{Script=Latin}\p{N}]+|./gsu) ?? []);
  const { start, end } = commonEnds(a, b);
  const parts = (words: readonly string[]) =>
    [words.slice(0, start), words.slice(start, words.length - end), words.slice(words.length - end)].map(
      (part) => part.join(""),
    );
  return [parts(a), parts(b)] as const;
}

/** The size of markers that no text has: those around a conflict of an earlier merge are longer than its own. */
export function markerSize(texts: readonly string[]): number {
  const sizes = texts.flatMap((text) => [...text.matchAll(/^<{7,}/gm)].map(([marker]) => marker.length));
  return sizes.reduce((most, size) => Math.max(most, size + 1), MARKERS.size);
}

/** A line of a difference: `-` only before, `+` only after. */
export interface DiffLine {
  mark: " " | "-" | "+" | "@";
  text: string;
}

/** A difference as the server and this page write it, as lines. */
export function readDiff(diff: string): DiffLine[] {
  if (diff === "") return [];
  return diff.split("\n").map((line) => {
    const mark = line[0];
    if (mark === "-" || mark === "+" || mark === " ") return { mark, text: line.slice(1) };
    return { mark: "@", text: line };
  });
}

/** Fields that say nothing to people. */
const UNSAID = ["updated", "created", "id", "claimed_until", "claimed_from"];

/** A difference, of which `text` is one side, without fields that say nothing; none if it has no others. */
export function saidLines(diff: string, text = ""): DiffLine[] {
  const end = text.slice(0, parseFrontmatter(text).bodyOffset).split("\n").length - 1;
  let at = 0;
  const said = readDiff(diff).filter(({ mark, text: line }) => {
    if (mark === "@") at = Number(/^@@ line (\d+)/.exec(line)?.[1] ?? at + 1) - 1;
    else if (mark !== "+") at++;
    return mark === "@" || at >= end || !UNSAID.includes(nameOfKey(line.split(":", 1)[0] ?? ""));
  });
  return said.some(({ mark }) => mark === "-" || mark === "+") ? said : [];
}

/**
 * The text of a task with spaces in place of its Status line, which its fields show; a line stays that says more, or something
 * else. Places in the text stay the same.
 */
export function withoutStatusLine(text: string): string {
  const { data, bodyOffset } = parseFrontmatter(text);
  const line = findStatusLine(text, bodyOffset);
  if (line === null) return text;
  const status = normalizeStatus(line.value);
  const isShown = isTaskStatus(status) && (readMetadata(data).status ?? status) === status;
  if (!isShown || /[(（]/.test(line.value)) return text;
  const start = 1 + Math.max(...["\n", "\r"].map((end) => text.lastIndexOf(end, line.valueStart - 1)));
  const end = text.slice(line.valueEnd).search(/[\r\n]|$/) + line.valueEnd;
  if (labelsIn(text.slice(start, end)).length !== 1) return text;
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}
