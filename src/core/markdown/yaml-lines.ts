import { groupBy, isSameData } from "../lib/collections.ts";
import { type LineEnding, withLineEndings } from "./line-endings.ts";
import { eachLine } from "./lines.ts";
import { editYaml } from "./yaml-edit.ts";
import { MAX_YAML_CHARS, parseYaml } from "./yaml-parse.ts";
import { dumpMapping } from "./yaml-value.ts";

/** A field of a block by its lines, `[start, end)`; `name` is null for lines that begin with no key. */
export interface LineField {
  name: string | null;
  start: number;
  end: number;
  /** Its value; undefined if these lines are no YAML, or another field has the same name. */
  read?: { value: unknown };
}

const KEY =
  /^(?:"(?<double>[^"\\]{1,100})"|'(?<single>[^']{1,100})'|(?<plain>[^\s#&*!|>'"%@`,[\]{}?:<=-][^\n]{0,99}?))[ \t]*:(?=[ \t]|$)/;
const CONTINUED = /^(?:[ \t]|-(?:[ \t]|$)|#|[\]}]|$)/;
/** Each costs a call of the parser. */
const MAX_FIELDS = 200;

/** The fields of YAML that is not valid as a whole: each is read by itself. */
export function lineFields(yaml: string): LineField[] {
  if (yaml.length > MAX_YAML_CHARS) return [];
  const fields: LineField[] = [];
  for (const { text, start, next } of eachLine(yaml)) {
    const last = fields.at(-1);
    if (last !== undefined && CONTINUED.test(text)) last.end = next;
    else fields.push({ name: keyOf(text), start, end: next });
  }
  if (fields.length > MAX_FIELDS) return fields;
  const named = groupBy(fields, ({ name }) => name);
  return fields.map((field) => ((named.get(field.name)?.length ?? 0) > 1 ? field : readField(yaml, field)));
}

/** Whether a text is meant as fields: its first lines name one. */
export function saysFields(yaml: string): boolean {
  const [first = ""] = yaml.replace(/^(?:[ \t]*(?:#.*)?\r?\n)+/, "").split(/\r?\n[ \t]*\r?\n/, 1);
  return first.startsWith("{") || first.split(/\r?\n/).some((line) => keyOf(line.trimStart()) !== null);
}

function keyOf(line: string): string | null {
  const { double, single, plain } = KEY.exec(line)?.groups ?? {};
  return double ?? single ?? plain ?? null;
}

function readField(yaml: string, field: LineField): LineField {
  const parsed = parseYaml(yaml.slice(field.start, field.end));
  if (field.name === null || "problem" in parsed || !Object.hasOwn(parsed.data, field.name)) return field;
  return { ...field, read: { value: parsed.data[field.name] } };
}

interface NewValue {
  name: string;
  /** Null removes the field. */
  value: unknown;
  ending: LineEnding;
}

/** The YAML with one field set; null if it is no plain value, its lines may hold more, or another field has its name. */
export function setField(yaml: string, { name, value, ending }: NewValue): string | null {
  const fields = lineFields(yaml);
  const [field, ...others] = fields.filter((one) => one.name === name);
  if (others.length > 0 || fields.every((one) => one.name === null)) return null;
  const line = value === null ? "" : withLineEndings(dumpMapping({ [name]: value }), ending);
  if (field === undefined) return yaml + line;
  const { start, end, read } = field;
  if (read !== undefined && value !== null && isSameData(read.value, value)) return yaml;
  if ([read?.value, value].some((one) => typeof one === "object" && one !== null)) return null;
  const lines = yaml.slice(start, end);
  const edited =
    read === undefined ? setPlain(lines, line) : editYaml(lines, new Map([[name, value]]), ending);
  return edited === null ? null : yaml.slice(0, start) + edited + yaml.slice(end);
}

/** A value on one line that opens no quote, bracket or block of text, and no lines below but blank ones and comments. */
const PLAIN =
  /^[ \t]+(?![ \t"'[{|>&*!#])(?:[^\n#]|(?<![ \t])#)*(?<comment>[ \t]#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*$/;

/** The lines of a field that is no YAML with another one in place of the first. */
function setPlain(lines: string, line: string): string | null {
  const plain = PLAIN.exec(lines.slice(KEY.exec(lines)?.[0].length));
  if (plain === null) return null;
  const comment = plain.groups?.["comment"]?.trimEnd() ?? "";
  const rest = lines.slice(lines.indexOf("\n") + 1);
  return line.replace(/\r?\n$/, (ending) => comment + ending) + rest;
}
