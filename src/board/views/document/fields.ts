/** A line of frontmatter; `other` has a value that only the text can change. */
export type Field =
  | { kind: "text"; name: string; text: string; isQuoted: boolean }
  | { kind: "list"; name: string; items: readonly string[] }
  | { kind: "other"; name: string; text: string };

/** The fields of a frontmatter block. What this does not understand is shown as it is written. */
export function readFields(yaml: string): Field[] {
  const fields: { name: string; value: string; block: string[] }[] = [];
  for (const line of yaml.split(/\r?\n/)) {
    const [, name, value = ""] = /^([^\s#:'"{}[\]&*!|>?-][^:]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (name !== undefined) fields.push({ name: name.trim(), value: withoutComment(value), block: [] });
    else if (line.trim() !== "" && !line.startsWith("#")) fields.at(-1)?.block.push(line);
  }
  return fields.map(readField);
}

function readField({ name, value, block }: { name: string; value: string; block: string[] }): Field {
  if (block.length > 0) return readBlock(name, value, block);
  const [, flow] = /^\[([^[\]{}"']*)\]$/.exec(value) ?? [];
  if (flow !== undefined) {
    const items = flow.split(",").map((item) => item.trim());
    return { kind: "list", name, items: items.filter((item) => item !== "") };
  }
  const text = unquoted(value);
  return text === undefined
    ? { kind: "other", name, text: value }
    : { kind: "text", name, text, isQuoted: text !== value };
}

function readBlock(name: string, value: string, block: readonly string[]): Field {
  const items = block.map((line) => unquoted(/^\s*-\s+(.*)$/.exec(line)?.[1] ?? "["));
  const isList = value === "" && items.every((item) => item !== undefined && !/:(\s|$)/.test(item));
  if (isList) return { kind: "list", name, items: items.filter((item) => item !== undefined) };
  return { kind: "other", name, text: [value, ...block].join("\n").trim() };
}

/** Undefined for anything but a plain or a simply quoted scalar. */
function unquoted(value: string): string | undefined {
  const [, single] = /^'((?:[^']|'')*)'$/.exec(value) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const [, double] = /^"([^"\\]*)"$/.exec(value) ?? [];
  if (double !== undefined) return double;
  return /^["'[{&*!|>%@`]/.test(value) ? undefined : value;
}

function withoutComment(value: string): string {
  const text = value.trim();
  return /^["']/.test(text) ? text : text.replace(/(?:^|\s)#.*$/, "");
}

/** What a field's new text means in YAML: a number or a yes stays one, unless the text was quoted. */
export function yamlValue(text: string, isQuoted = false): string | number | boolean | null {
  const value = text.trim();
  if (value === "") return null;
  if (isQuoted) return value;
  if (value === "true" || value === "false") return value === "true";
  return String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** `a, #b` as a list; each once. */
export function listOf(text: string): string[] {
  const items = text.split(/[,、，]/).map((item) => item.trim().replace(/^#/, ""));
  return [...new Set(items.filter((item) => item !== ""))];
}
