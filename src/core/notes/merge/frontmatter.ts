import { groupBy, isSameData } from "../../lib/collections.ts";
import { endOfLine } from "../../lib/text.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { lineEnding } from "../../markdown/line-endings.ts";
import { conflictOf, type Merged, mergeLines, onlyChange, type Show } from "../../markdown/merge-lines.ts";
import { mapThree, type Three } from "../../markdown/merge-regions.ts";
import { yamlEntries } from "../../markdown/yaml-entries.ts";
import { itemsOf, LISTS, nameOfKey } from "../field-names.ts";
import { setFields } from "../set-fields.ts";
import { CLAIM_FIELDS, readOrder } from "../task/fields.ts";

interface Fields {
  /** What its keys say, by what they mean. */
  values: ReadonlyMap<string, unknown>;
  /** The lines of each key, with the comments above it. */
  lines: ReadonlyMap<string, string>;
  /** What stands behind the last key. */
  rest: string;
}

/** One key of the three texts. */
interface Field {
  key: string;
  lines: Three<string>;
  values: Three<unknown>;
}

/**
 * Merges the YAML of a note's frontmatter by key, in the order of ours. A text that is no valid YAML contradicts any other; what is
 * valid, but has no lines for its keys, or would have none, is merged by line.
 */
export function mergeFields(texts: Three<string>, show: Show): Merged {
  const alone = onlyChange(texts);
  if (alone !== null) return alone;
  if (Object.values(texts).some((yaml) => parseFrontmatter(inBlock(yaml)).problem !== null))
    return conflictOf(texts, show);
  const { base, ours, theirs } = mapThree(texts, fieldsOf);
  const merged = base && ours && theirs && mergeByKey({ base, ours, theirs }, show);
  return merged ?? mergeLines(texts, { show });
}

/** Null if the result is no YAML. */
function mergeByKey(fields: Three<Fields>, show: Show): Merged | null {
  const isClaimed = isContradicted(
    mapThree(fields, ({ values }) => CLAIM_FIELDS.map((key) => values.get(key))),
  );
  const parts = keysInOrder(fields).map((key) => {
    const field = {
      key,
      lines: mapThree(fields, ({ lines }) => lines.get(key) ?? ""),
      values: mapThree(fields, ({ values }) => values.get(key)),
    };
    return mergeField(field, isClaimed && CLAIM_FIELDS.includes(key), show);
  });
  const rest = mergeLines(
    mapThree(fields, (one) => one.rest),
    { show },
  );
  const all = [...parts, rest];
  const text = all.map((part) => part.text).join("");
  const conflicts = all.reduce((sum, part) => sum + part.conflicts, 0);
  return conflicts === 0 && fieldsOf(text) === null ? null : { text, conflicts };
}

function fieldsOf(yaml: string): Fields | null {
  const { data, problem } = parseFrontmatter(inBlock(yaml));
  const entries = problem === null ? yamlEntries(yaml) : null;
  if (entries === null) return null;
  const lines = new Map<string, string>();
  const values = new Map<string, unknown>();
  let from = 0;
  const meant = groupBy(Object.keys(data), nameOfKey);
  for (const { name, key, value } of entries) {
    if (name === null) return null;
    const meaning = nameOfKey(name);
    const field = meant.get(meaning)?.length === 1 ? meaning : name;
    if (lines.has(field)) return null;
    const end = endOfLine(yaml, Math.max(key.end, value.end)) + 1;
    lines.set(field, yaml.slice(from, end));
    values.set(field, data[name]);
    from = end;
  }
  return { values, lines, rest: yaml.slice(from) };
}

function inBlock(yaml: string): string {
  const ending = lineEnding(yaml);
  return `---${ending}${yaml}---${ending}`;
}

/** Whether both sides changed a value, and not to the same. */
function isContradicted({ base, ours, theirs }: Three<unknown>): boolean {
  return ![base, theirs].some((other) => isSameData(ours, other)) && !isSameData(theirs, base);
}

/** The keys of ours; those that only the others have follow the key that they follow there, and what ours added behind it. */
function keysInOrder({ base, ours, theirs }: Three<Fields>): string[] {
  return [theirs, base].reduce((keys, { lines }) => withKeys(keys, lines), [...ours.lines.keys()]);
}

function withKeys(keys: readonly string[], lines: Fields["lines"]): string[] {
  const known = new Set(keys);
  let last: string | undefined;
  const behind = new Map<string | undefined, string[]>([[undefined, []]]);
  for (const key of lines.keys()) {
    if (!known.has(key)) behind.get(last)?.push(key);
    else {
      behind.set(key, []);
      last = key;
    }
  }
  const result = [...(behind.get(undefined) ?? [])];
  let waiting: string[] = [];
  for (const key of keys) {
    if (lines.has(key)) {
      result.push(...waiting);
      waiting = behind.get(key) ?? [];
    }
    result.push(key);
  }
  return [...result, ...waiting];
}

function mergeField(field: Field, isClaimed: boolean, show: Show): Merged {
  const { key, lines, values } = field;
  const isSame = isSameData(values.ours, values.theirs);
  if (isSame && !lines.theirs.includes("#")) return { text: lines.ours, conflicts: 0 };
  if (!isSame && isClaimed) return conflictOf(lines, show);
  if (!isContradicted(values)) return mergeLines(lines, { show });
  const list = mergeLists(LISTS.includes(key) ? mapThree(values, listOf) : values);
  if (list !== null) return { text: withValue(lines.ours, key, list), conflicts: 0 };
  const side = key === "updated" ? laterOf(values) : key === "order" ? firstOf(values) : null;
  return side === null ? conflictOf(lines, show) : { text: lines[side], conflicts: 0 };
}

/** What both sides added and removed, for lists of different plain values; null for other values. */
export function mergeLists({ base = [], ours, theirs }: Three<unknown>): unknown[] | null {
  if (!isSet(base) || !isSet(ours) || !isSet(theirs)) return null;
  const [before, own, other] = [new Set(base), new Set(ours), new Set(theirs)];
  const kept = ours.filter((item) => other.has(item) || !before.has(item));
  return [...kept, ...theirs.filter((item) => !before.has(item) && !own.has(item))];
}

/** A text with commas is a list, too. */
function listOf(value: unknown): unknown {
  return typeof value === "string" ? itemsOf(value).map((item) => String(item).trim()) : value;
}

function isSet(value: unknown): value is unknown[] {
  if (!Array.isArray(value) || value.some((item) => typeof item === "object")) return false;
  return new Set(value).size === value.length;
}

function withValue(lines: string, key: string, value: unknown): string {
  const block = setFields(inBlock(lines), { [key]: value });
  const { yamlStart = 0, yamlEnd } = parseFrontmatter(block).block ?? {};
  return block.slice(yamlStart, yamlEnd);
}

/** Null if one of them is no date. */
function laterOf({ ours, theirs }: Three<unknown>): "ours" | "theirs" | null {
  const [own, other] = [Date.parse(String(ours)), Date.parse(String(theirs))];
  if (Number.isNaN(own) || Number.isNaN(other)) return null;
  return own >= other ? "ours" : "theirs";
}

/** A place is no text to choose between: the upper one counts, on either machine. */
function firstOf({ ours, theirs }: Three<unknown>): "ours" | "theirs" {
  const [own = Number.MAX_VALUE, other = Number.MAX_VALUE] = [ours, theirs].map(readOrder);
  return own <= other ? "ours" : "theirs";
}
