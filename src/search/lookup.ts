import type { Language } from "../index/language.ts";
import type { Postings } from "../index/postings.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { inflectedIn, stemOf, wordForms } from "./forms.ts";
import type { Lookup } from "./query-plan.ts";
import { mostEdits, neighbours } from "./spelling.ts";
import { languageOfWord } from "./vocabulary.ts";

interface Source {
  db: SqlDatabase;
  postings: Postings;
  /** Marks the chunks that pass the filter; undefined if all do. */
  allowed: Uint8Array | undefined;
}

const MAX_NEIGHBOURS = 2;

/** What a query in a language may look up in the documents that pass the filter. */
export function lookupOf({ db, postings, allowed }: Source, language: Language | null): Lookup {
  const passes = (chunks: Int32Array) =>
    allowed === undefined ? chunks.length > 0 : chunks.some((chunk) => allowed[chunk] === 1);
  const chunksOf = (word: string) => postings.of(`"${word}"`);
  /** A word of Spanish documents is no form of an English word, and the other way round. */
  const isForeign = (word: string, to: Language | null) => {
    if (to !== "en" && to !== "es") return false;
    return languageOfWord(db, chunksOf(word)) === (to === "en" ? "es" : "en");
  };
  const isEligible = (word: string) => passes(chunksOf(word)) && !isForeign(word, language);
  // An ending is hardly ever mistyped: `decided` is not `declined`.
  const editsOf = (word: string) =>
    Math.min(...inflectedIn(language).map((one) => mostEdits(stemOf(word, one))));
  return {
    ...{ size: postings.count, of: postings.of, passes },
    forms: (word) => [
      ...new Set(
        inflectedIn(language).flatMap((one) =>
          wordForms(db, word, one).filter((form) => passes(chunksOf(form)) && !isForeign(form, one)),
        ),
      ),
    ],
    neighbours: (word) =>
      neighbours(db, word, { edits: editsOf(word), isEligible })
        .filter(({ distance }, _, [first]) => distance === first?.distance)
        .slice(0, MAX_NEIGHBOURS)
        .map(({ term }) => term),
  };
}
