/** Every weight and switch of the ranking, except those of the columns (schema.ts) and the boosts (boosts.ts). */
export const TUNING = {
  /** Whether neighbouring words and whole unspaced runs are also searched as phrases. */
  phrases: true,
  /** Whether unknown words are replaced by their known neighbours. */
  correction: true,
  /** Whether stop words and pairs of hiragana are dropped if the query has other words. */
  dropSmallWords: true,
  /** How strongly a chunk's score is lowered if it covers only a part of the query: score × (covered share) to this power. */
  coverage: 0.5,
  /** A chunk that covers less than this share of the best one's coverage is no match. */
  leastCoverage: 0.2,
  /** What a title, file name or heading adds if it holds the whole query; `completeTitle`: if it holds nothing else. */
  title: 0.5,
  completeTitle: 0.5,
  heading: 0.1,
  /** The factor for documents in the language of the query: they rank before their translations. */
  sameLanguage: 1.6,
  /** The factor for documents of the current project: they come first among equals. */
  preferredProject: 1.1,
  /** How much of its second best chunk's score a document gets, for queries of up to `keywords` terms. */
  secondChunk: 0.3,
  keywords: 5,
};

export type Tuning = typeof TUNING;
