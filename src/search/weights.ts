/** Every weight and switch of the ranking but those of the columns (schema.ts) and the boosts (boosts.ts). */
export const TUNING = {
  /** Whether neighbouring words and whole unspaced runs also count as phrases. */
  phrases: true,
  /** Whether unknown words give way to their known neighbours. */
  correction: true,
  /** Whether small words and pairs of hiragana are left out where something else is asked for. */
  dropSmallWords: true,
  /** How strongly a chunk is held back that covers a part of the query: score × (covered share) to this power. */
  coverage: 0.5,
  /** A chunk that covers less than this share of what the best one does is no match. */
  leastCoverage: 0.2,
  /** What a title, file name or heading adds that holds the whole query, and one that is nothing but the query. */
  title: 0.5,
  completeTitle: 0.5,
  heading: 0.1,
  /** What the language of the query is worth in a document: more than its translation. */
  sameLanguage: 1.6,
  /** What the project at hand is worth: its documents come first among equals. */
  preferredProject: 1.1,
  /** How much of its second best chunk's score a document gets, for queries of up to `keywords` terms. */
  secondChunk: 0.3,
  keywords: 5,
};

export type Tuning = typeof TUNING;
