import { CORE_SCHEMA, loadAll, YAMLException } from "js-yaml";
import { outlineText } from "./headings.ts";
import { eachLine } from "./lines.ts";
import { readSimpleYaml } from "./simple-yaml.ts";

/** Offsets of a frontmatter block: `[start, end)` with both marker lines, `[yamlStart, yamlEnd)` between them. */
export interface FrontmatterBlock {
  start: number;
  end: number;
  yamlStart: number;
  yamlEnd: number;
}

export interface Frontmatter {
  data: Record<string, unknown>;
  block: FrontmatterBlock | null;
  /** Where the text after the block starts; without a block, after a byte order mark. */
  bodyOffset: number;
  /** Why a block that looks like frontmatter is not read; null if all is well. */
  problem: string | null;
}

type YamlResult = { data: Record<string, unknown> } | { problem: string };

const MAX_YAML_CHARS = 65_536;
// Few enough that nested aliases cannot blow up when the data is serialized.
const MAX_ALIASES = 16;
const MAX_DEPTH = 20;
const FIELDS = /^\s*(?:[\w-]{1,100}\s*:|\{)/;

/** Never throws: an invalid block stays part of the body, so that search finds it. */
export function parseFrontmatter(text: string): Frontmatter {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const block = findBlock(text, start);
  if (block === null) return { data: {}, block: null, bodyOffset: start, problem: null };
  const parsed = parseYaml(text.slice(block.yamlStart, block.yamlEnd));
  if ("problem" in parsed) return { data: {}, block: null, bodyOffset: start, problem: parsed.problem };
  return { data: parsed.data, block, bodyOffset: block.end, problem: null };
}

/** Where links may begin: a block that is meant as frontmatter has none, even if it is not valid YAML. */
export function behindFrontmatter(text: string, bodyOffset: number): number {
  const block = findBlock(text, bodyOffset);
  const isMeant =
    block !== null && bodyOffset <= 1 && FIELDS.test(text.slice(block.yamlStart, block.yamlEnd));
  return isMeant ? block.end : bodyOffset;
}

function findBlock(text: string, start: number): FrontmatterBlock | null {
  if (!text.startsWith("---", start)) return null;
  let yamlStart = -1;
  for (const line of eachLine(outlineText(text), start)) {
    const marker = line.text.trimEnd();
    if (yamlStart === -1) {
      if (marker !== "---") return null;
      yamlStart = line.next;
    } else if (marker === "---" || marker === "...") {
      return { start, end: line.next, yamlStart, yamlEnd: line.start };
    }
  }
  return null;
}

function parseYaml(yaml: string): YamlResult {
  if (yaml.length > MAX_YAML_CHARS) return { problem: "The frontmatter is longer than 64 KB." };
  const simple = readSimpleYaml(yaml);
  if (simple !== null) return { data: simple };
  try {
    const documents = loadAll(yaml, { schema: CORE_SCHEMA, maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH });
    return documents.length > 1 ? notAMapping() : asMapping(documents[0] ?? {});
  } catch (error) {
    return { problem: `The frontmatter is not valid YAML${whereIn(error)}.` };
  }
}

function asMapping(value: unknown): YamlResult {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return notAMapping();
  if (isCyclic(value, new Set(), new Set())) return { problem: "The frontmatter contains itself." };
  return { data: value as Record<string, unknown> };
}

function notAMapping(): YamlResult {
  return { problem: "The frontmatter is not a list of `key: value` lines." };
}

/** The parser's message is not shown; its line number counts from 0, without the opening marker. */
function whereIn(error: unknown): string {
  const line = error instanceof YAMLException ? error.mark?.line : undefined;
  return line === undefined ? "" : ` (line ${line + 2})`;
}

function isCyclic(value: unknown, above: Set<unknown>, cleared: Set<unknown>): boolean {
  if (typeof value !== "object" || value === null || cleared.has(value)) return false;
  if (above.has(value)) return true;
  above.add(value);
  const cyclic = Object.values(value).some((child) => isCyclic(child, above, cleared));
  above.delete(value);
  cleared.add(value);
  return cyclic;
}
