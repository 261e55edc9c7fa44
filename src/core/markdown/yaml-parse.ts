import { CORE_SCHEMA, loadAll, YAMLException } from "js-yaml";
import { readSimpleYaml } from "./simple-yaml.ts";

export type YamlResult = { data: Record<string, unknown> } | { problem: string };

export const MAX_YAML_CHARS = 65_536;
// Few enough that nested aliases cannot blow up when the data is serialized.
const MAX_ALIASES = 16;
const MAX_DEPTH = 20;

/** The mapping that a text is, or why it is none. Never throws. */
export function parseYaml(yaml: string): YamlResult {
  if (yaml.length > MAX_YAML_CHARS) return { problem: "The frontmatter is longer than 64 KB" };
  const simple = readSimpleYaml(yaml);
  if (simple !== null) return { data: simple };
  try {
    const documents = loadAll(closedInLine(yaml), {
      schema: CORE_SCHEMA,
      maxAliases: MAX_ALIASES,
      maxDepth: MAX_DEPTH,
    });
    return documents.length > 1 ? notAMapping() : asMapping(documents[0] ?? {});
  } catch (error) {
    return { problem: `The frontmatter is not valid YAML${whereIn(error)}` };
  }
}

/**
 * With brackets that close at the margin in the line above, as long as before: most readers take them there, but neither the standard nor
 * our parser does.
 */
export function closedInLine(yaml: string): string {
  return yaml.replace(/\n(?=[\]}])/g, " ");
}

function asMapping(value: unknown): YamlResult {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return notAMapping();
  if (isCyclic(value, new Set(), new Set())) return { problem: "The frontmatter contains itself" };
  return { data: value as Record<string, unknown> };
}

function notAMapping(): YamlResult {
  return { problem: "The frontmatter is not a list of `key: value` lines" };
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
