import type { Clause } from "./query-plan.ts";

/** How much of the query each chunk covers, by its number. */
export interface Coverage {
  of: Float32Array;
  /** The most that a chunk covers. */
  best: number;
  /** The chunks that cover enough to be matches, ascending. */
  matches: Int32Array;
}

/** Sums of the same weights in a different order differ slightly. */
export const ALMOST = 0.9999;

type Weighted = Pick<Clause, "weight" | "chunks">;

/**
 * Adds up the weights of the clauses that each chunk holds. A chunk that covers less than `least` of the best one's coverage is
 * no match. `allowed` marks the chunks that pass the filter (default: all).
 */
export function coverageOf(
  clauses: readonly Weighted[],
  { size, least, allowed }: { size: number; least: number; allowed?: Uint8Array | undefined },
): Coverage {
  const { of, best } = sumWeights(clauses, new Float32Array(size + 1), allowed);
  const enough = Math.max(best * least * ALMOST, Number.MIN_VALUE);
  const matches = new Int32Array(of.length);
  let count = 0;
  for (let chunk = 0; chunk < of.length; chunk++) if ((of[chunk] ?? 0) >= enough) matches[count++] = chunk;
  return { of, best, matches: matches.slice(0, count) };
}

/** Adds the weights to the sum of each chunk in `of`, by its number; also returns the greatest sum. */
export function sumWeights(
  clauses: readonly Weighted[],
  of: Float32Array,
  allowed?: Uint8Array,
): { of: Float32Array; best: number } {
  let best = 0;
  for (const { weight, chunks } of clauses) {
    for (const chunk of chunks) {
      if (allowed !== undefined && allowed[chunk] !== 1) continue;
      const sum = (of[chunk] ?? 0) + weight;
      of[chunk] = sum;
      if (sum > best) best = sum;
    }
  }
  return { of, best };
}

/** The `enough` matches that cover most, and any that cover as much as the last of them. */
export function bestCoverage({ of, matches }: Omit<Coverage, "best">, enough: number): Int32Array {
  if (matches.length <= enough) return matches;
  // Not `Float32Array.from`, which takes as long as a search for a rare word.
  const covered = new Float32Array(matches.length);
  for (let at = 0; at < matches.length; at++) covered[at] = of[matches[at] ?? 0] ?? 0;
  const least = covered.sort()[matches.length - enough] ?? 0;
  return matches.filter((chunk) => (of[chunk] ?? 0) >= least * ALMOST);
}
