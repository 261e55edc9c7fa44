import { eachMarkdownLine, type MarkdownLine } from "../../markdown/blocks.ts";
import { trackedHeadings } from "../../markdown/headings.ts";
import type { Data } from "../field-names.ts";
import { TASK_FIELDS, type TaskField } from "./fields.ts";
import { labelPattern } from "./labels.ts";
import { statusValue } from "./status.ts";

/** `**Priority:** high` under the title of a task; a writer replaces `[start, end)`. */
interface FieldLine {
  name: TaskField;
  label: string;
  start: number;
  end: number;
  line: MarkdownLine;
}

const LABELS = TASK_FIELDS.map((name) => [name, labelPattern(name)] as const);
const ANY_LABEL = /^[ \t]{0,12}(?:[-*+][ \t]{1,4})?[*_`]{0,3}\p{L}[^:：]{0,40}[:：]/u;
const TAGS = /^[\s,、，]*(?:#[^\s,、，]+[\s,、，]*)+/;

/** The lines with a label right under the title, the first of each field that has a value. */
export function fieldLines(text: string, bodyOffset: number): FieldLine[] {
  const found: FieldLine[] = [];
  for (const line of linesUnderTitle(text, bodyOffset)) {
    const [name, label = ""] =
      LABELS.map(([field, pattern]) => [field, pattern.exec(line.text)?.[0]] as const).find(
        ([, match]) => match !== undefined,
      ) ?? [];
    if (name === undefined || found.some((one) => one.name === name)) continue;
    const rest = line.text.slice(label.length);
    const { length: gap } = /^[\s*_`]*/.exec(rest)?.[0] ?? "";
    const value = statusValue(rest);
    const tags = name === "tags" ? (TAGS.exec(rest.slice(gap))?.[0].trimEnd().length ?? 0) : 0;
    const from = line.start + label.length;
    const [start, end] = [from + gap, from + Math.max(value.start + value.text.length, gap + tags)];
    if (end > start) found.push({ name, label, start, end, line });
  }
  return found;
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
  const lines = fieldLines(text, bodyOffset).map(({ name, label, start, end }) => {
    const value = text.slice(start, end);
    const key = `${label.replace(/^[\s*_`+-]+|[\s*_`:：]+$/g, "")} `;
    return [key, name === "tags" ? value.split(/[,、，]|\s+(?=#)/).map((tag) => tag.trim()) : value];
  });
  return lines.length === 0 ? data : { ...data, ...Object.fromEntries(lines) };
}

/** With another value in the line of a field; with null, without the line. */
export function setFieldLine(text: string, { start, end, line }: FieldLine, value: unknown): string {
  if (value === null) return text.slice(0, line.start) + text.slice(line.next);
  const mark = text[start] === "#" ? "#" : "";
  const isSpaced = mark !== "" && !/[,、，]/.test(text.slice(start, end));
  const written = Array.isArray(value)
    ? value.map((tag) => mark + tag).join(isSpaced ? " " : ", ")
    : `${value}`;
  return text.slice(0, start) + written + text.slice(end);
}
