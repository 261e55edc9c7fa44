import { isDateOrDateTime, leadingDate } from "../../lib/clock.ts";
import { oneLines } from "../../markdown/embed.ts";
import { itemsOf } from "../field-names.ts";
import { shorten } from "../short-text.ts";
import { isUnderTag, plainTag } from "../tag.ts";
import { isSameOwner, OWNER_SEPARATOR, ownerName } from "./claim.ts";
import { referringTo } from "./dependencies.ts";
import { normalizePriority } from "./priorities.ts";
import { taskReference } from "./reference.ts";

/** What a field holds: one of some words, a day as `YYYY-MM-DD`, a number, names as one text, another task, or several texts. */
export interface Kinds {
  choice: string;
  day: string;
  number: number;
  name: string;
  task: string;
  list: readonly string[];
}

/** How the values of a kind are read, written, found by a filter and sorted; what is not understood reads as undefined. */
export interface KindRules<T> {
  read(value: unknown, words: readonly string[]): T | undefined;
  /** Null removes the field. */
  write(value: T): T | null;
  fits(value: T, wanted: string): boolean;
  key(value: T, words: readonly string[]): string;
}

const PLAIN = {
  write: <T>(value: T) => value,
  fits: (value: unknown, wanted: string) => String(value) === wanted,
  key: String,
};
const MAX_NUMBER = 1e9;
/** A longer field would fill every list that shows it. */
const MAX_FIELD_CHARS = 200;

/** `words` are those of a choice. */
export const KINDS: { [K in keyof Kinds]: KindRules<Kinds[K]> } = {
  choice: {
    ...PLAIN,
    read: (value, words) => words.find((one) => one === normalizePriority(fieldText(value) ?? "")),
    key: (value, words) => String(words.indexOf(value)),
  },
  day: { ...PLAIN, read: readDay },
  number: {
    ...PLAIN,
    read: (value) => (typeof value === "number" && Math.abs(value) < MAX_NUMBER ? value : undefined),
    key: (value) => (value + MAX_NUMBER).toFixed(3).padStart(14, "0"),
  },
  name: {
    ...PLAIN,
    read: readNames,
    write: (value) => ownerName(value) || null,
    fits: (value, wanted) => isSameOwner(wanted, value),
  },
  task: {
    ...PLAIN,
    read: readTask,
    write: (value) => `[[${value}]]`,
    fits: (value, wanted) => referringTo({ filename: value })(taskReference(wanted)),
  },
  list: {
    ...PLAIN,
    read: readTexts,
    write: (value) => (oneLines(value).length === 0 ? null : oneLines(value)),
    fits: (value, wanted) => {
      const tag = plainTag(wanted);
      return value.some((one) => isUnderTag(one, tag));
    },
  },
};

/** Null for anything but a text that says something, or a list of one. */
export function fieldText(value: unknown): string | null {
  if (Array.isArray(value) && value.length === 1) return fieldText(value[0]);
  return typeof value === "string" && value.trim() !== "" ? shorten(value.trim(), MAX_FIELD_CHARS) : null;
}

function readDay(value: unknown): string | undefined {
  const text = (fieldText(value) ?? "").replace(/^\[\[(.*)\]\]$/, "$1");
  return isDateOrDateTime(text) ? (leadingDate(text) ?? undefined) : undefined;
}

/** Several are one text: `ana, luis`. */
function readNames(value: unknown): string | undefined {
  const names = (Array.isArray(value) ? value : [value]).map((one) =>
    fieldText(typeof one === "number" ? String(one) : one),
  );
  return fieldText(names.filter((name) => name !== null).join(OWNER_SEPARATOR)) ?? undefined;
}

/** `003-setup` from `[[003-setup]]`, `3` from 3. */
function readTask(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && value >= 0;
  return taskReference(fieldText(isNumber ? String(value) : value) ?? "") || undefined;
}

/** What can be an item of a list, or a value. */
export function isPlain(item: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof item);
}

function readTexts(value: unknown): string[] {
  const texts = itemsOf(value)
    .filter(isPlain)
    .map((item) => shorten(plainTag(String(item)), MAX_FIELD_CHARS));
  return [...new Set(texts)].filter((text) => text !== "");
}
