import { isSameData } from "../../../lib/collections.ts";
import { dumpValue } from "../../../markdown/yaml-value.ts";
import { listOf } from "../../fields.ts";

/** A line of frontmatter; `other` has a value that only the text can change. */
export type Field =
  | { kind: "text"; name: string; text: string; isQuoted: boolean }
  | { kind: "list"; name: string; items: readonly string[] }
  | { kind: "other"; name: string; text: string };

/** The fields of a document's frontmatter. */
export function readFields(data: Readonly<Record<string, unknown>>): Field[] {
  return Object.entries(data).map(([name, value]) => {
    const items = Array.isArray(value) && value.every(isScalar) ? value.map(String) : null;
    if (items !== null && isSameData(listOf(items.join(", ")), items)) return { kind: "list", name, items };
    const text = value === null ? "" : String(value);
    if ((value !== null && !isScalar(value)) || text.includes("\n"))
      return { kind: "other", name, text: dumpValue(value) };
    return { kind: "text", name, text, isQuoted: typeof value === "string" && yamlValue(text) !== text };
  });
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** What a field's new text means in YAML: a number or a yes stays one, unless the text was quoted. */
export function yamlValue(text: string, isQuoted = false): string | number | boolean | null {
  const value = text.trim();
  if (value === "") return null;
  if (isQuoted) return value;
  if (value === "true" || value === "false") return value === "true";
  return String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
}
