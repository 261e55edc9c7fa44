import { matchParts } from "./match-parts.ts";

/** What the three texts of a merge have of one thing. */
export interface Three<T> {
  base: T;
  ours: T;
  theirs: T;
}

/** Parts that the result has, or those between which only a person can choose. */
export type Region<T> = { merged: readonly T[] } | { conflict: Three<readonly T[]> };

/**
 * Merges two changes of one list. Parts with the same key are the same, and those of ours stand for the others. What both sides
 * changed alike is merged; all else that both changed is a conflict.
 */
export function mergeRegions<T>(lists: Three<readonly T[]>, keyOf: (part: T) => string): Region<T>[] {
  const keys = mapThree(lists, (parts) => parts.map(keyOf));
  const inOurs = matchParts(keys.base, keys.ours);
  const inTheirs = matchParts(keys.base, keys.theirs);
  const regions: Region<T>[] = [];
  let from = { base: 0, ours: 0, theirs: 0 };
  const closeAt = (to: Three<number>) => {
    const cut = <P>({ base, ours, theirs }: Three<readonly P[]>) => ({
      base: base.slice(from.base, to.base),
      ours: ours.slice(from.ours, to.ours),
      theirs: theirs.slice(from.theirs, to.theirs),
    });
    regions.push(...mergeChanges(cut(lists), cut(keys)));
  };
  for (let base = 0; base < lists.base.length; base++) {
    const [ours = -1, theirs = -1] = [inOurs[base], inTheirs[base]];
    if (ours === -1 || theirs === -1) continue;
    closeAt({ base, ours, theirs });
    regions.push({ merged: lists.ours.slice(ours, ours + 1) });
    from = { base: base + 1, ours: ours + 1, theirs: theirs + 1 };
  }
  closeAt(mapThree(lists, ({ length }) => length));
  return regions;
}

export function mapThree<T, R>({ base, ours, theirs }: Three<T>, map: (one: T) => R): Three<R> {
  return { base: map(base), ours: map(ours), theirs: map(theirs) };
}

/** Merges what stands between two parts that all three have. */
function mergeChanges<T>(lists: Three<readonly T[]>, keys: Three<readonly string[]>): Region<T>[] {
  const { ours, theirs } = lists;
  if (ours.length + theirs.length === 0) return [];
  if (isSame(keys.ours, keys.theirs) || isSame(keys.theirs, keys.base)) return [{ merged: ours }];
  return [isSame(keys.ours, keys.base) ? { merged: theirs } : { conflict: lists }];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

/** How many keys two lists have in common at their start, and behind those at their end. */
export function commonEnds(one: readonly string[], other: readonly string[]): { start: number; end: number } {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}

/** What one side made of a value, if the other left it or made it the same; undefined for a contradiction. */
export function mergeValues<T>({ base, ours, theirs }: Three<T>): T | undefined {
  if (ours === base) return theirs;
  return theirs === base || theirs === ours ? ours : undefined;
}
