import { diff3MergeRegions } from "node-diff3";

/** What the three texts of a merge have of one thing. */
export interface Three<T> {
  base: T;
  ours: T;
  theirs: T;
}

/** Parts that the result has, or those between which only a person can choose. */
export type Region<T> = { merged: readonly T[] } | { conflict: Three<readonly T[]> };

/** More pairs of equal parts than this take seconds to compare. */
const MAX_PAIRS = 4_000_000;

/**
 * Merges two changes of one list. Parts with the same key are the same, and those of ours stand for the others. What both sides
 * changed alike is merged; all else that both changed is a conflict.
 */
export function mergeRegions<T>(lists: Three<readonly T[]>, keyOf: (part: T) => string): Region<T>[] {
  const keys = mapThree(lists, (parts) => parts.map(keyOf));
  const { start, end } = commonEnds(keys);
  const cut = <P>(parts: readonly P[]) => parts.slice(start, parts.length - end);
  const inner = mergeInner(mapThree(lists, cut), mapThree(keys, cut));
  const { ours } = lists;
  return [{ merged: ours.slice(0, start) }, ...inner, { merged: ours.slice(ours.length - end) }];
}

export function mapThree<T, R>({ base, ours, theirs }: Three<T>, map: (one: T) => R): Three<R> {
  return { base: map(base), ours: map(ours), theirs: map(theirs) };
}

/** How many parts all three have in common at their start, and at their end. */
function commonEnds({ base, ours, theirs }: Three<readonly string[]>): { start: number; end: number } {
  const most = Math.min(base.length, ours.length, theirs.length);
  let start = 0;
  while (start < most && base[start] === ours[start] && base[start] === theirs[start]) start++;
  let end = 0;
  const last = (list: readonly string[]) => list[list.length - 1 - end];
  while (end < most - start && last(base) === last(ours) && last(base) === last(theirs)) end++;
  return { start, end };
}

function mergeInner<T>(lists: Three<readonly T[]>, keys: Three<string[]>): Region<T>[] {
  if (pairs(keys.base, keys.ours) + pairs(keys.base, keys.theirs) > MAX_PAIRS)
    return conflictRegions(lists, keys);
  const { ours, theirs } = lists;
  let from = 0;
  return diff3MergeRegions(keys.ours, keys.base, keys.theirs).flatMap((region): Region<T>[] => {
    if (!region.stable) {
      from = region.aStart + region.aLength;
      const part = {
        base: lists.base.slice(region.oStart, region.oStart + region.oLength),
        ours: ours.slice(region.aStart, from),
        theirs: theirs.slice(region.bStart, region.bStart + region.bLength),
      };
      const inKeys = {
        base: region.oContent,
        ours: region.aContent,
        theirs: region.bContent,
      };
      return conflictRegions(part, inKeys);
    }
    const { buffer, bufferStart, bufferLength, bufferContent } = region;
    if (buffer === "b") return [{ merged: theirs.slice(bufferStart, bufferStart + bufferLength) }];
    const start = buffer === "a" ? bufferStart : find(keys.ours, bufferContent, from);
    from = start + bufferLength;
    return [{ merged: ours.slice(start, from) }];
  });
}

/** What both sides made the same of is merged, also at the start and at the end of a conflict. */
function conflictRegions<T>(
  lists: Three<readonly T[]>,
  { ours, theirs }: Three<readonly string[]>,
): Region<T>[] {
  const { start, end } = commonEnds({ base: ours, ours, theirs });
  const cut = <P>(parts: readonly P[]) => parts.slice(start, parts.length - end);
  const [own, other] = [cut(lists.ours), cut(lists.theirs)];
  const head: Region<T> = { merged: lists.ours.slice(0, start) };
  const tail: Region<T> = { merged: lists.ours.slice(lists.ours.length - end) };
  if (own.length + other.length === 0) return [head, tail];
  return [head, { conflict: { base: lists.base, ours: own, theirs: other } }, tail];
}

/** How many pairs of equal parts two lists have. */
function pairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const key of one) counts.set(key, (counts.get(key) ?? 0) + 1);
  return other.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
}

/** Where `part` stands in `list` from `from` on; it does. */
function find(list: readonly string[], part: readonly string[], from: number): number {
  let at = from;
  while (!part.every((key, index) => list[at + index] === key)) at++;
  return at;
}
