import { isDateOrDateTime } from "../lib/clock.ts";
import { daysIn } from "./days.ts";
import { byMeaning, inAnyLanguage } from "./words/languages.ts";

export type Data = Readonly<Record<string, unknown>>;

const LABELS = byMeaning(({ labels }) => labels);
const UPDATED = new Set(inAnyLanguage(({ updated }) => updated));
const AROUND_UPDATED = new Set(inAnyLanguage(({ aroundUpdated }) => aroundUpdated));
/** All keys for one of these are one list. */
export const LISTS = ["tags", "dependencies"];

/** What a key of frontmatter means: `status` for `Status`, `Estado` and `状態`, `claimed_until` for `Claimed until`. */
export function nameOfKey(key: string): string {
  const words = plainKey(key);
  return LABELS.get(words) ?? (isUpdated(words) ? "updated" : words.replaceAll(" ", "_"));
}

/** `last modified at`, `date updated`, `lastmod`, `fecha de actualización`. */
function isUpdated(words: string): boolean {
  const kept = words.split(" ").filter((word) => !AROUND_UPDATED.has(word));
  return UPDATED.has(kept.join(" "));
}

/** `due date` of `dueDate`, `due_date` and `Due Date`. */
export function plainKey(key: string): string {
  if (/^[a-z]+$/.test(key)) return key;
  const words = key.normalize("NFKC").replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ");
  return words
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
}

/** Frontmatter by what its keys mean; of two keys with one meaning the exact one counts, else the first. */
export function fieldsOf(data: Data): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(data)) {
    const name = nameOfKey(key);
    if (LISTS.includes(name) && fields.has(name))
      fields.set(name, [fields.get(name), value].flatMap(itemsOf));
    else if (!fields.has(name) || key === name) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** The items of a list, or of a text with commas, or of `#a #b`. */
export function itemsOf(value: unknown): unknown[] {
  if (typeof value === "string") return value.split(/^\s*#/.test(value) ? /[,、，]|\s+(?=#)/ : /[,、，]/);
  return Array.isArray(value) ? value.flat(Infinity) : [value];
}

/** The keys that stand for a field, the one that counts first. */
export function keysFor(data: Data, name: string): string[] {
  const keys = Object.keys(data).filter((key) => nameOfKey(key) === name);
  return keys.includes(name) ? [name, ...keys.filter((key) => key !== name)] : keys;
}

/** Seconds since 1970 or, from this number on, milliseconds. */
const LEAST_MS = 1e11;
const LEAST_SECONDS = 1e9;
const MAX_CHARS = 100;

/** The day or time of a change, as ISO 8601; null if the value leaves doubt. */
export function readUpdated(value: unknown): string | null {
  if (Array.isArray(value) && value.length === 1) return readUpdated(value[0]);
  if (typeof value === "object" && value !== null && "date" in value) return readUpdated(value.date);
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).trim();
  if (isDateOrDateTime(text)) return text;
  const time = /^\d{10,13}$/.test(text) ? Number(text) : 0;
  if (time >= LEAST_SECONDS) return new Date(time >= LEAST_MS ? time : time * 1000).toISOString();
  const [day = null, ...others] = daysIn(text.slice(0, MAX_CHARS));
  return others.length === 0 ? day : null;
}
