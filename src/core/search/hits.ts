export interface RankOptions {
  /** How many documents. */
  limit: number;
  /** Milliseconds since 1970, for the recency boost. */
  now: number;
  /** The exponent of the product of the boosts. */
  damping: number;
  /** The project that the query is most likely about: its documents come first among equals. */
  preferred?: string | undefined;
}

/** A document that matches, by its best chunk. */
export interface Hit {
  document: number;
  chunk: number;
  /** The first chunk of the document. */
  first: number;
  /** The chunk of the document that holds most of what `chunk` does not; null if there is none, or it was not looked for. */
  other: number | null;
  score: number;
  /** Days since 1970; orders equal scores. */
  day: number;
  /** Further chunks of the document that match. */
  more: number;
  /** The score of the best chunk's text, before boosts and `factors`, and the share of the second best one that was added. */
  text: number;
  second: number;
  /** What the score was multiplied by, besides boosts. */
  factors: Readonly<Record<string, number>>;
}

export interface Ranking {
  hits: Hit[];
  /** Documents that match. */
  total: number;
  /** The weight of what the best chunk covers. */
  covered: number;
}

type Comparable = Pick<Hit, "score" | "day" | "document">;

export function compareHits(a: Comparable, b: Comparable): number {
  return b.score - a.score || b.day - a.day || a.document - b.document;
}
