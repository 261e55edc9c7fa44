import { stemmer as englishStem } from "@orama/stemmers/english";
import { stemmer as spanishStem } from "@orama/stemmers/spanish";
import { isStopWord, type Language } from "../index/language.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { wordsFrom } from "./vocabulary.ts";

/** A language whose words have forms that a stemmer knows. */
export type Inflected = Extract<Language, "en" | "es">;

const INFLECTED: readonly Inflected[] = ["en", "es"];
const MIN_LETTERS = 3;
const MAX_LETTERS = 40;
const LATIN = /^[a-z]+$/;

/** The stem of a folded word: words with the same one are forms of one word. */
export function stemOf(word: string, language: Inflected): string {
  return language === "en" ? englishStem(word) : spanishStem(withAccents(word));
}

/** The index has no accents, and Spanish endings are known by them: `configuracion`, `podria`. */
function withAccents(word: string): string {
  return word.replace(/ion$/, "ión").replace(/(?<=[aei]r)ia(?=(?:s|n|mos|is)?$)/, "ía");
}

/** The languages whose forms a query may mean: its own. Latin words in a text of another script are mostly English. */
export function inflectedIn(language: Language | null): readonly Inflected[] {
  if (language === null) return INFLECTED;
  return language === "es" ? ["es"] : ["en"];
}

/** The other known forms of a word, the most frequent ones first. */
export function wordForms(db: SqlDatabase, word: string, language: Inflected): string[] {
  if (!LATIN.test(word) || word.length < MIN_LETTERS || word.length > MAX_LETTERS || isStopWord(word))
    return [];
  const stem = stemOf(word, language);
  const start = commonStart(stem, word);
  if (start.length < MIN_LETTERS - 1) return [];
  const letters = { least: MIN_LETTERS, most: MAX_LETTERS };
  return wordsFrom(db, start, letters)
    .filter(({ term }) => term !== word && stemOf(term, language) === stem && !isStopWord(term))
    .sort((a, b) => b.count - a.count)
    .map(({ term }) => term);
}

/** What all forms begin with: a stem's last vowel may be none of theirs (`happi`, `hope` for `hoping`). */
function commonStart(stem: string, word: string): string {
  let length = 0;
  while (length < stem.length && stem[length] === word[length]) length++;
  return stem.slice(0, length).replace(/[aeiouy]$/, "");
}
