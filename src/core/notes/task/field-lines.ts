import { eachMarkdownLine, type MarkdownLine } from "../../markdown/blocks.ts";
import { trackedHeadings } from "../../markdown/headings.ts";
import { withoutTail } from "../../markdown/tail.ts";
import type { Data } from "../field-names.ts";
import { TASK_FIELDS, type TaskField } from "./fields.ts";
import { type Labelled, labelsIn } from "./labels.ts";
import { statusValue } from "./status-line.ts";

/** `**Priority:** high` under the title of a task; a writer replaces `[start, end)`, or removes `cut`. */
interface FieldLine {
  name: TaskField;
  words: string;
  start: number;
  end: number;
  cut: { start: number; end: number };
}

const ANY_LABEL = /^[ \t]{0,12}(?:[-*+][ \t]{1,4})?[*_`]{0,3}\p{L}[^:：]{0,40}[:：]/u;
const TAGS = /^[\s,、，]*(?:#[^\s,、，]+[\s,、，]*)+/;

/** The labels right under the title, the first of each field that has a value. */
export function fieldLines(text: string, bodyOffset: number): FieldLine[] {
  const found: FieldLine[] = [];
  for (const line of linesUnderTitle(text, bodyOffset)) {
    const labels = labelsIn(line.text);
    for (const [at, label] of labels.entries()) {
      const name = TASK_FIELDS.find((field) => field === label.name);
      if (name === undefined || found.some((one) => one.name === name)) continue;
      const { start, end } = spanOf(line, label);
      if (end > start) found.push({ name, words: label.words, start, end, cut: cutOf(line, labels, at) });
    }
  }
  return found;
}

function spanOf(line: MarkdownLine, { name, start: from, end: to }: Labelled): FieldLine["cut"] {
  const rest = line.text.slice(from, to);
  const { length: gap } = /^[\s*_`]*/.exec(rest)?.[0] ?? "";
  const value = statusValue(rest);
  const tags = name === "tags" ? (TAGS.exec(rest.slice(gap))?.[0].trimEnd().length ?? 0) : 0;
  const end = Math.max(value.start + value.text.length, gap + tags);
  return { start: line.start + from + gap, end: line.start + from + end };
}

/** The whole line of a label that stands alone. */
function cutOf(line: MarkdownLine, labels: readonly Labelled[], at: number): FieldLine["cut"] {
  const [label, next] = [labels[at], labels[at + 1]];
  if (label === undefined || labels.length === 1) return { start: line.start, end: line.next };
  if (at === 0 && next !== undefined) return { start: line.start + label.at, end: line.start + next.at };
  const { length } = withoutTail(line.text.slice(label.start, label.end));
  return { start: line.start + label.from, end: line.start + label.start + length };
}

function* linesUnderTitle(text: string, bodyOffset: number): Generator<MarkdownLine> {
  for (const { level, end } of trackedHeadings(text, bodyOffset)) {
    if (level !== 1) return;
    for (const line of eachMarkdownLine(text, end)) {
      if (line.text.trim() === "") continue;
      if (line.region !== "text" || !ANY_LABEL.test(line.text)) break;
      yield line;
    }
  }
}

/** Frontmatter with what such lines say. A key with a space at its end is none that YAML has: those of frontmatter count first. */
export function withFieldLines(data: Data, text: string, bodyOffset: number): Data {
  const lines = fieldLines(text, bodyOffset).map(({ name, words, start, end }) => {
    const value = text.slice(start, end);
    return [`${words} `, name === "tags" ? value.split(/[,、，]|\s+(?=#)/).map((tag) => tag.trim()) : value];
  });
  return lines.length === 0 ? data : { ...data, ...Object.fromEntries(lines) };
}

/** With another value behind the label of a field; with null, without the label. */
export function setFieldLine(text: string, { start, end, cut }: FieldLine, value: unknown): string {
  if (value === null) return text.slice(0, cut.start) + text.slice(cut.end);
  const mark = text[start] === "#" ? "#" : "";
  const written = Array.isArray(value)
    ? value.map((tag) => (/\s/.test(tag) ? tag : mark + tag)).join(", ")
    : `${value}`;
  return text.slice(0, start) + written + text.slice(end);
}
