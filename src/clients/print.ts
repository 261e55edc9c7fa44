import type { Json } from "./entry.ts";

/** How a file is laid out. */
export interface Layout {
  eol: string;
  /** One step of indentation. */
  unit: string;
}

export function layoutOf(text: string): Layout {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit };
}

/**
 * JSON as people write it: objects over several lines, lists of plain values in one. `gap` stands before the closing bracket, with a
 * `unit` more before each child: a line break with its indentation; or, without a unit, a space or nothing for all in one line.
 */
export function printJson(value: Json, gap: string, unit: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = gap + unit;
  const space = gap && " ";
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => printJson(item, inner, unit))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${space}${printJson(item, inner, unit)}`,
      );
  if (isList && (unit === "" || value.every((item) => typeof item !== "object" || item === null)))
    return `[${parts.join(`,${space}`)}]`;
  const [open, close] = isList ? "[]" : "{}";
  return parts.length === 0 ? `${open}${close}` : open + inner + parts.join(`,${inner}`) + gap + close;
}
