import { stemmer as englishStem } from "@orama/stemmers/english";
import { stemmer as spanishStem } from "@orama/stemmers/spanish";
import { isStopWord, type Language } from "../index/language.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { wordsFrom } from "./vocabulary.ts";

const STEMMERS = {
  en: englishStem,
  es: (word: string) => spanishStem(withAccents(word)),
} satisfies Partial<Record<Language, (word: string) => string>>;

/** The end of a stem that may be none of a form's: `happi` of `happy`, `hope` of `hoping`. */
const CHANGING: Record<Inflected, RegExp> = { en: /[eiy]$/, es: /$/ };

/** A language whose words have forms that a stemmer knows. */
export type Inflected = keyof typeof STEMMERS;

const INFLECTED = Object.keys(STEMMERS) as Inflected[];
const MIN_LETTERS = 3;
const MAX_LETTERS = 40;
const LATIN = /^[a-z]+$/;

/** The stem of a folded word: words with the same one are forms of one word. */
export function stemOf(word: string, language: Inflected): string {
  return STEMMERS[language](word);
}

/** The index has no accents, and Spanish endings are known by them: `configuracion`, `podria`. */
function withAccents(word: string): string {
  return word.replace(/ion$/, "ión").replace(/(?<=[aei]r)ia(?=(?:s|n|mos|is)?$)/, "ía");
}

export function isInflected(language: Language | null): language is Inflected {
  return language !== null && Object.hasOwn(STEMMERS, language);
}

/** The languages whose forms a query may mean: its own. Latin words in a text of another script are mostly English. */
export function inflectedIn(language: Language | null): readonly Inflected[] {
  if (language === null) return INFLECTED;
  return [isInflected(language) ? language : "en"];
}

/** The other known forms of a word. */
export function wordForms(db: SqlDatabase, word: string, language: Inflected): string[] {
  if (!LATIN.test(word) || word.length < MIN_LETTERS || word.length > MAX_LETTERS || isStopWord(word))
    return [];
  const stem = stemOf(word, language);
  const start = commonStart(stem, word).replace(CHANGING[language], "");
  if (start.length < MIN_LETTERS - 1) return [];
  const letters = { least: MIN_LETTERS, most: MAX_LETTERS };
  return wordsFrom(db, start, letters).filter(
    (term) => term !== word && stemOf(term, language) === stem && !isStopWord(term),
  );
}

function commonStart(stem: string, word: string): string {
  let length = 0;
  while (length < stem.length && stem[length] === word[length]) length++;
  return stem.slice(0, length);
}
