/** One line of a text: `[start, end)` is its content, `next` is where the following line starts. */
export interface Line {
  start: number;
  end: number;
  next: number;
  text: string;
}

/** `code` covers fences with their markers, `comment` HTML comments that start a line. */
export type Region = "text" | "code" | "comment";

export interface MarkdownLine extends Line {
  region: Region;
}

interface Fence {
  mark: string;
  length: number;
  /** Columns of the list item it begins in (0: none): a line further left ends both. */
  indent: number;
}

const LIST_MARKERS = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){1,8}(?=```|~~~)/;

type Open = Fence | "comment" | null;

/** Lines of `text[from, to)`, ended by `\n` or `\r\n`; a final terminator starts no further line. */
export function* eachLine(text: string, from = 0, to = text.length): Generator<Line> {
  let start = from;
  while (start < to) {
    const newline = text.indexOf("\n", start);
    const ended = newline !== -1 && newline < to;
    const next = ended ? newline + 1 : to;
    let end = ended ? newline : to;
    if (ended && end > start && text[end - 1] === "\r") end--;
    yield { start, end, next, text: text.slice(start, end) };
    start = next;
  }
}

/** Lines with the region each belongs to; `from` must not lie inside a fence or a comment. */
export function* eachMarkdownLine(text: string, from = 0, to = text.length): Generator<MarkdownLine> {
  let open: Open = null;
  let commentsEnd = true;
  for (const { start, end, next, text: content } of eachLine(text, from, to)) {
    const opened: Open = inside(content, open) ?? opening(content);
    let region = regionOf(opened);
    const isOpening: boolean = opened !== open;
    if (opened === "comment" && isOpening) {
      // An unclosed comment hides nothing. One failed look-ahead answers for all later lines.
      commentsEnd &&= text.slice(start, to).includes("-->");
      if (!commentsEnd) region = "text";
    }
    open = region === "text" || closes(content, opened, isOpening) ? null : opened;
    yield { start, end, next, text: content, region };
  }
}

/** The line that closes the fence or comment left open by `text`; null if none is open. */
export function closingLine(text: string): string | null {
  let open: Open = null;
  for (const line of eachLine(text)) {
    const opened: Open = inside(line.text, open) ?? opening(line.text);
    open = closes(line.text, opened, opened !== open) ? null : opened;
  }
  if (open === null) return null;
  return open === "comment" ? "-->" : " ".repeat(open.indent) + open.mark.repeat(open.length);
}

/** `text` without blank lines before it and white space after it; the first line keeps its indentation. */
export function trimBlankLines(text: string): string {
  const written = writtenLines(text);
  return written === null ? "" : text.slice(written.start, written.end).trimEnd();
}

/** From the start of the first line that is not blank to the end of the last one; null if all are blank. */
export function writtenLines(
  text: string,
  from = 0,
  to = text.length,
): { start: number; end: number } | null {
  let first = -1;
  let last = -1;
  for (const { start, end, text: content } of eachLine(text, from, to)) {
    if (isBlank(content)) continue;
    if (first === -1) first = start;
    last = end;
  }
  return first === -1 ? null : { start: first, end: last };
}

/** Columns of leading white space; 4 means "four or more". */
export function indentation(line: string): number {
  let at = 0;
  while (at < 4 && line[at] === " ") at++;
  return line[at] === "\t" ? 4 : at;
}

export function isBlank(line: string): boolean {
  return line === "" || line.trim() === "";
}

function regionOf(open: Open): Region {
  if (open === null) return "text";
  return open === "comment" ? "comment" : "code";
}

/** What is still open at `line`. */
function inside(line: string, open: Open): Open {
  if (open === null || open === "comment" || isBlank(line)) return open;
  return columns(line) < open.indent ? null : open;
}

function opening(line: string): Open {
  if (line.length < 3) return null;
  const [markers = ""] = LIST_MARKERS.exec(line) ?? [];
  const at = markers.length === 0 ? indentation(line) : markers.length;
  if (markers.length === 0 && at > 3) return null;
  if (line.startsWith("<!--", at)) return "comment";
  const mark = line[at];
  if (mark !== "`" && mark !== "~") return null;
  const length = runLength(line, at);
  if (length < 3) return null;
  if (mark === "`" && line.includes("`", at + length)) return null;
  return { mark, length, indent: markers.length === 0 ? 0 : columns(markers, at) };
}

/** The column that `line` reaches after `end` characters, or after its leading white space; tabs go to the next fourth. */
function columns(line: string, end?: number): number {
  let column = 0;
  for (let at = 0; at < (end ?? line.length); at++) {
    if (end === undefined && line[at] !== " " && line[at] !== "\t") break;
    column += line[at] === "\t" ? 4 - (column % 4) : 1;
  }
  return column;
}

function closes(line: string, open: Open, isOpening: boolean): boolean {
  if (open === null) return false;
  // `<!-->` is a whole comment: its dashes open and close it.
  if (open === "comment") return line.includes("-->", isOpening ? indentation(line) + 2 : 0);
  if (isOpening) return false;
  const at = line.search(/[^ \t]|$/);
  if (columns(line) - open.indent > 3 || line[at] !== open.mark) return false;
  const length = runLength(line, at);
  return length >= open.length && isBlank(line.slice(at + length));
}

/** How often the character at `at` repeats from there on. */
function runLength(line: string, at: number): number {
  const mark = line[at];
  let end = at;
  while (end < line.length && line[end] === mark) end++;
  return end - at;
}
