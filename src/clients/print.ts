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

/** JSON as people write it: objects over several lines, lists of plain values in one. */
export function printJson(value: Json, layout: Layout, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent + layout.unit;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => printJson(item, layout, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printJson(item, layout, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  if (isList && value.every((item) => typeof item !== "object" || item === null))
    return `[${parts.join(", ")}]`;
  const { eol } = layout;
  return `${open}${eol}${parts.map((part) => inner + part).join(`,${eol}`)}${eol}${indent}${close}`;
}

/** On one line, as `flat` text around it is written: `tight` without spaces. */
export function printFlat(value: Json, tight: boolean): string {
  if (tight || typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => printFlat(item, tight)).join(", ")}]`;
  const parts = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${printFlat(item, tight)}`,
  );
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
