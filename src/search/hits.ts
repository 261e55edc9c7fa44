import type { Tuning } from "./weights.ts";

export interface RankOptions {
  /** Of documents. */
  limit: number;
  /** Milliseconds since 1970, for the recency boost. */
  now: number;
  /** The exponent of the product of the boosts. */
  damping: number;
  /** The project that the query is most likely about: its documents come first among equals. */
  preferred?: string | undefined;
  tuning: Tuning;
}

/** A document that matches, by its best chunk. */
export interface Hit {
  document: number;
  chunk: number;
  score: number;
  /** Days since 1970; orders equal scores. */
  day: number;
  /** Further chunks of the document that match. */
  more: number;
}

export interface Ranking {
  hits: Hit[];
  /** Documents that match. */
  total: number;
  /** The weight of what the best chunk covers. */
  covered: number;
}

export function compareHits(a: Omit<Hit, "more">, b: Omit<Hit, "more">): number {
  return b.score - a.score || b.day - a.day || a.document - b.document;
}
