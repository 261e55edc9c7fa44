import { splitFrontmatter } from "../../markdown/text.ts";

/** What a text field shows of a file's text: one kind of line ending, no byte order mark. */
export function typedText(raw: string): string {
  return raw.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
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
  return before + middle + after;
}

/** Where the character at `offset` of `typedText(raw)` stands in `raw`. */
function rawOffset(raw: string, offset: number): number {
  let at = raw.startsWith("\uFEFF") ? 1 : 0;
  for (let left = offset; left > 0; left--) at += raw.startsWith("\r\n", at) ? 2 : 1;
  return at;
}

/** That of most lines. */
function lineEnding(text: string): "\n" | "\r\n" {
  const lines = text.match(/\r?\n/g) ?? [];
  return lines.filter((line) => line.length === 2).length * 2 > lines.length ? "\r\n" : "\n";
}

/** Whether update_doc would give the file exactly this text: it keeps a frontmatter, and makes line endings the same. */
export function isKeptByUpdate(raw: string, next: string): boolean {
  if (splitFrontmatter(raw).yaml !== null && splitFrontmatter(next).yaml === null) return false;
  if (raw.startsWith("\uFEFF") !== next.startsWith("\uFEFF")) return false;
  if (!raw.includes("\n")) return true;
  return next === next.replace(/(?<!\r)\r+\n|\n/g, lineEnding(raw));
}

/** A line of a difference: `-` only before, `+` only after. */
export interface DiffLine {
  mark: " " | "-" | "+" | "@";
  text: string;
}

/** The diff of `history` as lines. */
export function readDiff(diff: string): DiffLine[] {
  if (diff === "") return [];
  return diff.split("\n").map((line) => {
    const mark = line[0];
    if (mark === "-" || mark === "+" || mark === " ") return { mark, text: line.slice(1) };
    return { mark: "@", text: line };
  });
}

const MAX_COMPARED = 4_000_000;
const CONTEXT = 3;

/** The lines that differ, with some lines around them. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  if (start === a.length && start === b.length) return [];
  const changed = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return withoutFarLines([...a.slice(0, start).map(kept), ...changed, ...a.slice(a.length - end).map(kept)]);
}

const kept = (text: string): DiffLine => ({ mark: " ", text });

/** By their longest common subsequence; too many lines count as all different. */
function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ mark: "-", text });
  const added = (text: string): DiffLine => ({ mark: "+", text });
  if (a.length * b.length > MAX_COMPARED) return [...a.map(gone), ...b.map(added)];
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push(kept(a[i++] ?? ""));
      j++;
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) lines.push(gone(a[i++] ?? ""));
    else lines.push(added(b[j++] ?? ""));
  }
  return [...lines, ...a.slice(i).map(gone), ...b.slice(j).map(added)];
}

/** `[i][j]`: how many lines `a` from `i` on and `b` from `j` on have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, below] = [rows[i], rows[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return rows;
}

function withoutFarLines(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  for (const [at, { mark }] of lines.entries())
    if (mark !== " ") for (let one = at - CONTEXT; one <= at + CONTEXT; one++) near.add(one);
  const shown: DiffLine[] = [];
  for (const [at, line] of lines.entries()) {
    if (!near.has(at)) continue;
    if (!near.has(at - 1) && at > 0) shown.push({ mark: "@", text: "…" });
    shown.push(line);
  }
  return shown;
}
