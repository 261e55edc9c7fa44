import { isTypo, nearest } from "../../lib/text.ts";
import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { outlineText } from "../../markdown/headings.ts";
import { withoutTail } from "../../markdown/tail.ts";
import { core } from "../short-text.ts";
import { byMeaning } from "../words/languages.ts";
import { labelOf, mayHaveLabel } from "./labels.ts";
import type { TaskStatus } from "./statuses.ts";

/** A status line; a writer replaces `[valueStart, valueEnd)`. */
export interface StatusLine {
  value: string;
  valueStart: number;
  valueEnd: number;
}

const STATUSES = byMeaning(({ statuses }) => statuses);

const LONGEST_ALIAS = 100;
const NOT_INDENTED = /^ {0,3}(?![ \t])/;

/** The standard status for `text` (`In Progress`, `✅ done`, `**wip**`), else the trimmed text. */
export function normalizeStatus(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_ALIAS) return trimmed;
  const withoutRemark = trimmed.replace(/[(（][^()（）]*[)）]\W*$/u, "");
  const key = core(withoutRemark.normalize("NFKC"))
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[\s_-]+/g, " ");
  return STATUSES.get(key) ?? trimmed;
}

/** The status whose word was misspelled. */
export function nearestStatus(text: string): TaskStatus | undefined {
  const [near] = nearest(text, STATUSES.keys(), 1).filter((word) => isTypo(text, word));
  return near === undefined ? undefined : STATUSES.get(near);
}

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
