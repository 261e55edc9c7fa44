import { isDateOrDateTime } from "../lib/clock.ts";
import type { Frontmatter } from "../markdown/frontmatter.ts";
import { nameOfKey } from "./field-names.ts";

/** Fields whose values are found by filters, or say nothing that people search. */
const NOT_WORDS = new Set(
  "tags tag status type priority order due updated confirmed created date claimed_until claimed_from".split(
    " ",
  ),
);
const MAX_CHARS = 2_000;
const MAX_ALIASES = 50;
const MAX_ALIAS_CHARS = 200;

/** What search finds of a document's frontmatter: the texts and numbers of its values; a block that cannot be read, as it is written. */
export function propertyText(text: string, { data, block, problem }: Frontmatter): string {
  if (problem !== null)
    return block === null ? "" : text.slice(block.yamlStart, block.yamlEnd).slice(0, MAX_CHARS);
  const values = Object.entries(data).filter(([name]) => !NOT_WORDS.has(nameOfKey(name)));
  return valuesOf(values.map(([, value]) => value))
    .filter((value) => !isDateOrDateTime(value))
    .join("\n")
    .slice(0, MAX_CHARS);
}

export function valuesOf(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

/** The other names of a document for links: `aliases` or `alias`, a list, or a text with commas between them. */
export function readAliases(data: Readonly<Record<string, unknown>>): string[] {
  const written = Object.entries(data).flatMap(([name, value]) =>
    /^alias(?:es)?$/i.test(name) ? [value] : [],
  );
  const names = valuesOf(
    written.map((value) => (typeof value === "string" ? [value, ...value.split(",")] : value)),
  );
  const short = names
    .map((name) => name.toWellFormed().trim())
    .filter((name) => name !== "" && name.length <= MAX_ALIAS_CHARS);
  return [...new Set(short)].slice(0, MAX_ALIASES);
}
