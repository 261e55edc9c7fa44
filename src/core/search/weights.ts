/** Every weight of the ranking, except those of the columns (schema.ts) and the boosts (boosts.ts). */
export const TUNING = {
  /** What two words side by side add, compared to a word as rare: in a query of a few words, in a longer one, and if one says little. */
  fewWordsPair: 0.7,
  pair: 0.5,
  minorPair: 0.2,
  /** What another form of a known word counts, compared to a word that is as rare as both. */
  forms: 0.8,
  /** What a word inside a name counts beside the name itself. */
  parts: 0.5,
  /** How much more a name of code counts than the rarest other word of the query. */
  named: 1.5,
  /** What a word counts that the query itself does not have (`also`), compared to one of its own. */
  also: 0.5,
  /** How strongly a chunk's score is lowered if it covers only a part of the query: score × (covered share) to this power. */
  coverage: 0.7,
  /** A chunk that covers less than this share of the best one's coverage is no match. */
  leastCoverage: 0.2,
  /** Chunks scored by bm25, those that cover most: with this many, another one is hardly ever among the best. */
  candidates: 600,
  /** What a title, file name or heading adds if it holds the whole query; `preciseTitle`: if it holds nothing else. */
  title: 0.5,
  preciseTitle: 1,
  heading: 0.1,
  /** The factor for a passage that holds the whole query as written, if that has six words or more. */
  verbatim: 1.5,
  /** Of a sentence in other words, a passage holds at most this share of the pairs; with all, it counts twice. */
  quotedPairs: 0.3,
  /** The factor for documents in the language of the query: they rank before their translations. */
  sameLanguage: 1.6,
  /** The factor for documents of the current project. */
  preferredProject: 2,
  /** The factor for documents of the project's repository: an equal note ranks before them. */
  repository: 0.6,
  /** How much of its second best chunk's score a document gets in a query of a few words: up to `keywords` terms. */
  secondChunk: 0.3,
  keywords: 5,
} as const;

/** An answer is weak if its best passage covers less of the query than this share (docs/contributing/search.md). */
export const WEAK = {
  least: 0.15,
  most: 0.58,
  base: 0.67,
  perWord: -0.04,
  /** Times the logarithm of the number of passages in ten thousands. */
  perSize: 0.03,
  /** The share of a question without spaces. */
  unspaced: 0.36,
  unspacedPerSize: 0.06,
};
