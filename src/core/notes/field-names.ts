import { byMeaning } from "./words/languages.ts";

export type Data = Readonly<Record<string, unknown>>;

const LABELS = byMeaning(({ labels }) => labels);
/** All keys for one of these are one list. */
export const LISTS = ["tags", "dependencies"];

/** What a key of frontmatter means: `status` for `Status`, `Estado` and `状態`, `claimed_until` for `Claimed until`. */
export function nameOfKey(key: string): string {
  const words = plainKey(key);
  return LABELS.get(words) ?? words.replaceAll(" ", "_");
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

/** The items of a list, or of a text with commas. */
export function itemsOf(value: unknown): unknown[] {
  if (typeof value === "string") return value.split(/[,、，]/);
  return Array.isArray(value) ? value.flat(Infinity) : [value];
}

/** The keys that stand for a field, the one that counts first. */
export function keysFor(data: Data, name: string): string[] {
  const keys = Object.keys(data).filter((key) => nameOfKey(key) === name);
  return keys.includes(name) ? [name, ...keys.filter((key) => key !== name)] : keys;
}
