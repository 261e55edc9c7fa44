export type LineEnding = "\n" | "\r\n";

/** The line ending of most lines of `text`; `"\n"` if there are none. */
export function lineEnding(text: string): LineEnding {
  let lines = 0;
  let crlf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    lines++;
    if (text[at - 1] === "\r") crlf++;
  }
  return crlf * 2 > lines ? "\r\n" : "\n";
}

/** A CR that ends no line stays. */
export function withLineEndings(text: string, ending: LineEnding): string {
  // All CRs before an LF go: one left would make a CRLF again.
  return text.replace(/(?<!\r)\r+\n|\n/g, ending);
}

/** `content` with the line endings of `text`; unchanged if `text` has none. */
export function inLineEndingsOf(text: string, content: string): string {
  return text.includes("\n") ? withLineEndings(content, lineEnding(text)) : content;
}
