import {
  CORE_SCHEMA,
  DEFAULT_SCALAR_STYLE_RULES,
  type DumpOptions,
  dump,
  SCALAR_STYLE,
  type ScalarLayout,
} from "js-yaml";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";

// The parser of frontmatter goes no deeper.
const MAX_DEPTH = 20;

const OPTIONS: DumpOptions = {
  schema: CORE_SCHEMA,
  flowLevel: 1,
  lineWidth: -1,
  scalarStyleRules: [quoteText, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)],
};

/** Text that only YAML 1.2 reads as text: 1.1 has more words, and its readers (PyYAML, Psych, SnakeYAML) differ in numbers. */
const NO_TEXT_IN_1_1 = [
  /^(?:y|yes|n|no|on|off|true|false|null|=|<<)$/i,
  /^[-+]?0(?:b[01_]+|[0-7_]+|x[\da-f_]+)$/i,
  /^[-+]?\d[\d_,]*(?::\d+)*$/,
  /^[-+]?(?:\d[\d_,]*)?(?::\d+)*\.[\d_.]*(?:e[-+]?\d+)?$/i,
  /^[-+]?\d[\d_,]*e[-+]?\d+$/i,
  /^:/,
];
const DAY = /^-?\d{4}-\d\d?-\d\d?(?:(?:t|[ \t]+)\d.*)?$/i;
/** Fields whose dates are meant as dates, by all readers. */
const DAY_FIELDS = new Set(["due", "updated", "claimed_until"]);
const TEXT = CORE_SCHEMA.defaultScalarTag.tagName;

function quoteText(layout: ScalarLayout): void {
  const { value, tag } = layout.node;
  if (value.includes("\n")) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
  else if (tag === TEXT && layout.style === SCALAR_STYLE.PLAIN && !isTextToAll(layout))
    layout.style = SCALAR_STYLE.SINGLE_QUOTED;
}

function isTextToAll({ node, parent }: ScalarLayout): boolean {
  if (NO_TEXT_IN_1_1.some((pattern) => pattern.test(node.value))) return false;
  if (!DAY.test(node.value)) return true;
  const key = parent?.kind === "mapping" ? parent.items.find(({ value }) => value === node)?.key : undefined;
  return key?.kind === "scalar" && DAY_FIELDS.has(key.value);
}

/** `key: value` lines ended by `\n`; each value stands on the line of its key. */
export function dumpMapping(data: Record<string, unknown>): string {
  return Object.keys(data).length === 0 ? "" : dump(data, OPTIONS);
}

/** A value as written after `key: `. */
export function dumpValue(value: unknown, key = ""): string {
  const name = DAY_FIELDS.has(key) ? key : "key";
  return dump({ [name]: value }, OPTIONS).slice(`${name}: `.length, -1);
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
