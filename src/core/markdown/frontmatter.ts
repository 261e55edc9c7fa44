import { listNames } from "../lib/escape.ts";
import { outlineText } from "./headings.ts";
import { eachLine } from "./lines.ts";
import { lineFields, saysFields } from "./yaml-lines.ts";
import { MAX_YAML_CHARS, parseYaml } from "./yaml-parse.ts";

/** Offsets of a frontmatter block: `[start, end)` with both marker lines, `[yamlStart, yamlEnd)` between them. */
export interface FrontmatterBlock {
  start: number;
  end: number;
  yamlStart: number;
  yamlEnd: number;
}

export interface Frontmatter {
  /** What can be read of it. */
  data: Record<string, unknown>;
  block: FrontmatterBlock | null;
  /** Where the text after the block starts; without a block, after a byte order mark. */
  bodyOffset: number;
  /** Why something that is meant as frontmatter is not read, and what; null if all is well. */
  problem: string | null;
}

/** By the line above it, the lines that may end a block. */
const MARKERS: [opening: RegExp, closings: readonly string[]][] = [
  [/^---$/, ["---", "..."]],
  [/^\+\+\+$/, ["+++"]],
  [/^---(?:toml|json|ya?ml)$/, ["---"]],
];
const OTHER_FIELDS = /^\s*(?:[\w"'.-]{1,100}\s*[=:]|[[{#])/;
/** JSON without lines around it, as Hugo has it. */
const JSON_FIELD = /^\{\s*"[^"\\\n]{1,100}"\s*:/;
const JSON_SIGN = /"(?:[^"\\]|\\.)*"|[{}]/g;
const MAX_NAMED = 3;

/** Never throws. A block of text between two rules is no frontmatter; one that is meant as such is, whatever is wrong with it. */
export function parseFrontmatter(text: string): Frontmatter {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const none = { data: {}, block: null, bodyOffset: start };
  const block = findBlock(text, start);
  if (block === null) return { ...none, problem: unclosed(text, start) };
  const yaml = text.slice(block.yamlStart, block.yamlEnd);
  if (!isYaml(text, block))
    return OTHER_FIELDS.test(yaml) || isJson(text, block)
      ? { data: {}, block, bodyOffset: block.end, problem: NOT_YAML }
      : { ...none, problem: null };
  const parsed = parseYaml(yaml);
  if ("data" in parsed) return { data: parsed.data, block, bodyOffset: block.end, problem: null };
  if (!saysFields(yaml)) return { ...none, problem: `${parsed.problem}.` };
  return { ...readByLine(yaml, parsed.problem), block, bodyOffset: block.end };
}

const NOT_YAML = "The frontmatter is not YAML: none of its fields is read.";

/** Whether the lines of a block are meant as YAML. */
export function isYaml(text: string, { start, yamlStart }: FrontmatterBlock): boolean {
  return text.slice(start, yamlStart).trimEnd() === "---";
}

export function isJson(text: string, { start }: FrontmatterBlock): boolean {
  return text[start] === "{";
}

function readByLine(yaml: string, problem: string): Pick<Frontmatter, "data" | "problem"> {
  const fields = lineFields(yaml);
  const data = Object.fromEntries(
    fields.flatMap(({ name, read }) => (name === null || read === undefined ? [] : [[name, read.value]])),
  );
  const left = new Set(fields.flatMap(({ name, read }) => (name === null || read ? [] : [name])));
  if (Object.keys(data).length === 0) return { data, problem: `${problem}: none of its fields is read.` };
  const names = [...left].map((name) => name.slice(0, 20));
  return {
    data,
    problem: `${problem}${names.length === 0 ? "" : `. Not read: ${listNames(names, MAX_NAMED)}`}.`,
  };
}

/** What stands between the markers of a block, valid or not; `""` without one. */
export function yamlOf(text: string): string {
  const block = findBlock(text, text.startsWith("\uFEFF") ? 1 : 0);
  return block === null ? "" : text.slice(block.yamlStart, block.yamlEnd);
}

/** Up to the brace that closes the first one, if nothing follows it in its line. */
function jsonBlock(text: string, start: number): FrontmatterBlock | null {
  let depth = 0;
  for (const { 0: sign, index } of text.slice(start, start + MAX_YAML_CHARS).matchAll(JSON_SIGN)) {
    depth += { "{": 1, "}": -1 }[sign] ?? 0;
    if (depth > 0) continue;
    const yamlEnd = start + index;
    const [rest] = eachLine(text, yamlEnd + 1);
    const isLast = (rest?.text ?? "").trim() === "";
    return isLast ? { start, end: rest?.next ?? text.length, yamlStart: start + 1, yamlEnd } : null;
  }
  return null;
}

function findBlock(text: string, start: number): FrontmatterBlock | null {
  if (JSON_FIELD.test(text.slice(start, start + 300))) return jsonBlock(text, start);
  if (!/^(?:---|\+\+\+)/.test(text.slice(start, start + 3))) return null;
  let yamlStart = -1;
  let closings: readonly string[] = [];
  for (const line of eachLine(outlineText(text), start)) {
    const marker = line.text.trimEnd();
    if (yamlStart === -1) {
      closings = MARKERS.find(([opening]) => opening.test(marker))?.[1] ?? [];
      if (closings.length === 0) return null;
      yamlStart = line.next;
    } else if (closings.includes(marker)) {
      return { start, end: line.next, yamlStart, yamlEnd: line.start };
    }
  }
  return null;
}

export const UNCLOSED = "The frontmatter has no closing line `---`.";
const OPEN = /^---[ \t]{0,9}\r?\n[\w-]{1,100}:(?:\s|$)/;

function unclosed(text: string, start: number): string | null {
  return OPEN.test(text.slice(start, start + 120)) ? UNCLOSED : null;
}
