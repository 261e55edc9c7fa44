import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import type { NoteWords } from "./type.ts";
import { zh } from "./zh.ts";

/** The languages of notes whose words have a meaning. */
export const LANGUAGES = { en, es, ja, zh, fr, de, pt } satisfies Record<string, NoteWords>;

/** Whether spaces separate the words of a language. */
export function hasSpaces({ stopWords }: NoteWords): boolean {
  return stopWords !== "";
}

/** The words of a list. */
export function listOf(words: string): string[] {
  return words === "" ? [] : words.split(/,\s*/);
}

/** The words of all languages, in their order. */
export function inAnyLanguage(pick: (words: NoteWords) => string): string[] {
  return Object.values(LANGUAGES).flatMap((words) => listOf(pick(words)));
}

/** A group of a regular expression that matches any of them. */
export function oneOf(pick: (words: NoteWords) => string): string {
  return `(?:${inAnyLanguage(pick).join("|")})`;
}

/** The words by what they mean. */
export function byMeaning<K extends string>(
  pick: (words: NoteWords) => Readonly<Record<K, string>>,
): ReadonlyMap<string, K> {
  const meanings = Object.values(LANGUAGES).flatMap((words) => Object.entries(pick(words)) as [K, string][]);
  // The first language wins.
  return new Map(
    meanings.flatMap(([meaning, own]) => listOf(own).map((word) => [word, meaning] as const)).reverse(),
  );
}

/** The word before the number or the title of a task, for a regular expression. */
export const TASK_WORD = oneOf(({ task }) => task);
