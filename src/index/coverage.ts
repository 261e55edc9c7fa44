import type { Part } from "./match.ts";
import { zeros } from "./zeros.ts";

/** How much of the query each chunk covers, by its number. */
export interface Coverage {
  of: Float32Array;
  /** The chunks that count as matches, ascending. */
  matches: Int32Array;
}

/** Sums of the same weights in another order differ a little. */
export const ALMOST = 0.9999;

/** One chunk in so many: then those that hold something are looked at alone. */
const FEW = 64;

type Weighed = Pick<Part, "weight" | "chunks">;

/**
 * Adds up the weights of the parts that each chunk holds. What covers less than `least` of what the best one does is
 * no match. `allowed` marks the chunks that pass the filter; all of them, if left out.
 */
export function coverageOf(
  parts: readonly Weighed[],
  { size, least, allowed }: { size: number; least: number; allowed?: Uint8Array | undefined },
): Coverage {
  const { of, best } = sumWeights(parts, zeros("coverage", size + 1), allowed);
  const enough = Math.max(best * least * ALMOST, Number.MIN_VALUE);
  const held = parts.reduce((sum, { chunks }) => sum + chunks.length, 0);
  if (held * FEW > size) return { of, matches: atLeast(of, enough) };
  const some = Int32Array.from(new Set(parts.flatMap(({ chunks }) => [...chunks]))).sort();
  return { of, matches: some.filter((chunk) => (of[chunk] ?? 0) >= enough) };
}

/** Adds the weights to what `of` has for each chunk, by its number; the greatest sum besides. */
export function sumWeights(
  parts: readonly Weighed[],
  of: Float32Array,
  allowed?: Uint8Array,
): { of: Float32Array; best: number } {
  let best = 0;
  for (const { weight, chunks } of parts) {
    for (const chunk of chunks) {
      if (allowed !== undefined && allowed[chunk] !== 1) continue;
      const sum = (of[chunk] ?? 0) + weight;
      of[chunk] = sum;
      if (sum > best) best = sum;
    }
  }
  return { of, best };
}

function atLeast(covered: Float32Array, least: number): Int32Array {
  const chunks: number[] = [];
  for (let chunk = 0; chunk < covered.length; chunk++) {
    if ((covered[chunk] ?? 0) >= least) chunks.push(chunk);
  }
  return new Int32Array(chunks);
}

/** The matches that cover most: those of the best levels, whole levels at a time, until they are `enough`. */
export function bestCovered({ of, matches }: Coverage, enough: number): Int32Array {
  if (matches.length <= enough) return matches;
  const levels = new Map<number, { size: number }>();
  let [last, level] = [Number.NaN, { size: 0 }];
  for (const chunk of matches) {
    const covered = of[chunk] ?? 0;
    // Most cover what the one before them does.
    if (covered !== last) {
      level = levels.get(covered) ?? { size: 0 };
      levels.set(covered, level);
      last = covered;
    }
    level.size++;
  }
  let count = 0;
  for (const [level, { size }] of [...levels].sort(([a], [b]) => b - a)) {
    count += size;
    if (count >= enough) return matches.filter((chunk) => (of[chunk] ?? 0) >= level * ALMOST);
  }
  return matches;
}
