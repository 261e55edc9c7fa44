import type { Part } from "./match.ts";

/** How much of the query each chunk covers, by its number. */
export interface Coverage {
  of: Float32Array;
  /** The chunks that count as matches, ascending. */
  matches: Int32Array;
}

/** Sums of the same weights in another order differ a little. */
export const ALMOST = 0.9999;

/** From one chunk in so many on it is cheaper to look at all than at those that hold something. */
const MANY = 2;

type Weighed = Pick<Part, "weight" | "chunks">;

/**
 * Adds up the weights of the parts that each chunk holds. What covers less than `least` of what the best one does is
 * no match. `allowed` marks the chunks that pass the filter; all of them, if left out.
 */
export function coverageOf(
  parts: readonly Weighed[],
  { size, least, allowed }: { size: number; least: number; allowed?: Uint8Array | undefined },
): Coverage {
  const { of, best } = sumWeights(parts, new Float32Array(size + 1), allowed);
  const enough = Math.max(best * least * ALMOST, Number.MIN_VALUE);
  const held = parts.reduce((sum, { chunks }) => sum + chunks.length, 0);
  return { of, matches: held * MANY > size ? amongAll(of, enough) : amongHeld(parts, of, enough) };
}

function amongAll(of: Float32Array, enough: number): Int32Array {
  const found = new Int32Array(of.length);
  let count = 0;
  for (let chunk = 0; chunk < of.length; chunk++) if ((of[chunk] ?? 0) >= enough) found[count++] = chunk;
  return found.slice(0, count);
}

function amongHeld(parts: readonly Weighed[], of: Float32Array, enough: number): Int32Array {
  const seen = new Float32Array(of.length);
  const found: number[] = [];
  for (const { chunks } of parts) {
    for (let each = 0; each < chunks.length; each++) {
      const chunk = chunks[each] as number;
      if (seen[chunk] === 1 || (of[chunk] ?? 0) < enough) continue;
      seen[chunk] = 1;
      found.push(chunk);
    }
  }
  return new Int32Array(found).sort();
}

/** Adds the weights to what `of` has for each chunk, by its number; the greatest sum besides. */
export function sumWeights(
  parts: readonly Weighed[],
  of: Float32Array,
  allowed?: Uint8Array,
): { of: Float32Array; best: number } {
  let best = 0;
  for (const { weight, chunks } of parts) {
    for (let each = 0; each < chunks.length; each++) {
      const chunk = chunks[each] as number;
      if (allowed !== undefined && allowed[chunk] !== 1) continue;
      const sum = (of[chunk] ?? 0) + weight;
      of[chunk] = sum;
      if (sum > best) best = sum;
    }
  }
  return { of, best };
}

/** The matches that cover most: those of the best levels, whole levels at a time, until they are `enough`. */
export function bestCovered({ of, matches }: Coverage, enough: number): Int32Array {
  if (matches.length <= enough) return matches;
  const levels = new Map<number, { size: number }>();
  let [last, level] = [Number.NaN, { size: 0 }];
  for (let each = 0; each < matches.length; each++) {
    const covered = of[matches[each] as number] ?? 0;
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
