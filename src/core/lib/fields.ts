import { withoutMark } from "./text.ts";

/** Parsed JSON that another program wrote. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** No fields for anything but an object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** `""` for anything but a text. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Empty for anything but a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object that a JSON text holds, perhaps behind a byte order mark; undefined for anything else. */
export function parseFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(withoutMark(json));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined; // Cut, or no JSON at all: the caller counts it.
  }
}
