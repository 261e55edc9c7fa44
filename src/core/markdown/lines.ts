/** One line of a text: `[start, end)` is its content, `next` is where the following line starts. */
export interface Line {
  start: number;
  end: number;
  next: number;
  text: string;
}

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
