import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { outlineText } from "../../markdown/headings.ts";
import { withoutTail } from "../../markdown/tail.ts";
import { labelOf, mayHaveLabel } from "./labels.ts";
import { normalizeStatus } from "./status-word.ts";

/** A status line; a writer replaces `[valueStart, valueEnd)`. */
export interface StatusLine {
  value: string;
  valueStart: number;
  valueEnd: number;
}

const NOT_INDENTED = /^ {0,3}(?![ \t])/;

/** The first `Status: x` line from `from` on, outside code fences; emphasis around the value stays outside it. */
export function findStatusLine(text: string, from: number): StatusLine | null {
  for (const { value, start, region } of statusLines(text, from)) {
    if (value.text === "" || region === "code") continue;
    const valueStart = start + value.start;
    return { value: value.text, valueStart, valueEnd: valueStart + value.text.length };
  }
  return null;
}

/** Where to insert the value of the first empty `Status:` line; null if there is none. */
export function findEmptyStatusLine(text: string, from: number): number | null {
  for (const { value, start, region } of statusLines(text, from))
    if (value.text === "" && region === "text") return start;
  return null;
}

/** The lines with a status label; `start` is right behind the label. */
function* statusLines(text: string, from: number) {
  const outline = outlineText(text);
  if (!mayHaveLabel(outline, "status")) return;
  for (const line of eachMarkdownLine(outline, from)) {
    const label = NOT_INDENTED.test(line.text) ? labelOf(line.text, "status") : undefined;
    if (label === undefined) continue;
    const value = statusValue(line.text.slice(label.start, label.end));
    yield { value, start: line.start + label.start, region: line.region };
  }
}

/** The status of the first status line; null without one. */
export function statusInBody(text: string, from: number): string | null {
  const line = findStatusLine(text, from);
  return line === null ? null : normalizeStatus(line.value);
}

/** `rest` up to a comment and what other programs keep behind it, without white space and emphasis marks at its ends. */
export function statusValue(rest: string): { start: number; text: string } {
  let end = withoutTail(rest.split("<!--", 1)[0] ?? "").length;
  let start = 0;
  while (start < end && isPadding(rest[start])) start++;
  while (end > start && isPadding(rest[end - 1])) end--;
  return { start, text: rest.slice(start, end) };
}

function isPadding(character: string | undefined): boolean {
  return character === undefined || /[\s*_`]/.test(character);
}
