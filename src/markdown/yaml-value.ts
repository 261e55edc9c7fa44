import { CORE_SCHEMA, DEFAULT_SCALAR_STYLE_RULES, type DumpOptions, dump, SCALAR_STYLE } from "js-yaml";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";

// The parser of frontmatter goes no deeper.
const MAX_DEPTH = 20;

const OPTIONS: DumpOptions = {
  schema: CORE_SCHEMA,
  flowLevel: 1,
  lineWidth: -1,
  scalarStyleRules: [
    (layout) => {
      if (layout.node.value.includes("\n")) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
    },
    ...Object.values(DEFAULT_SCALAR_STYLE_RULES),
  ],
};

/** `key: value` lines ended by `\n`; each value stands on the line of its key. */
export function dumpMapping(data: Record<string, unknown>): string {
  return Object.keys(data).length === 0 ? "" : dump(data, OPTIONS);
}

/** Data in braces, as JSON if `old` was JSON; on lines of their own if it had several. Ended by `\n`. */
export function dumpInBraces(data: Record<string, unknown>, old: string): string {
  const isOnOneLine = !old.trim().includes("\n");
  if (!isJson(old)) return dump(data, { ...OPTIONS, flowLevel: 0 });
  const json = JSON.stringify(data, null, 2);
  return `${isOnOneLine ? json.replace(/\n\s*/g, " ") : json}\n`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A value as written after `key: `. */
export function dumpValue(value: unknown): string {
  return dump({ key: value }, OPTIONS).slice("key: ".length, -1);
}

/** A copy of plain data. Throws INVALID_ARGUMENT for functions, undefined, cycles and the like. */
export function toYamlData(data: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(data).map(([key, value]) => [key, copyValue(value, key, 1)]);
  return Object.fromEntries(entries);
}

/** A cycle exceeds the depth as well. */
function copyValue(value: unknown, key: string, depth: number): unknown {
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  ) {
    return value;
  }
  if (typeof value !== "object" || depth > MAX_DEPTH) throw notYaml(key);
  if (Array.isArray(value)) return Array.from(value, (item) => copyValue(item, key, depth + 1));
  if (!isPlain(value)) throw notYaml(key);
  const entries = Object.entries(value).map(([name, item]) => [name, copyValue(item, key, depth + 1)]);
  return Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function notYaml(key: string): UserError {
  return new UserError(
    "INVALID_ARGUMENT",
    `The frontmatter field ${quoteName(key, 80)} cannot be written as YAML. Use text, numbers, true, false, lists and plain objects.`,
  );
}
