/** More pairs of equal parts than this per part are not compared, so that the time grows with the length alone. */
const PAIRS_PER_PART = 100;
/** How often gaps are split at parts that both have once. */
const MAX_DEPTH = 20;

/** A part of two lists in which partners are looked for: `[from, to)` of one, `[start, end)` of the other. */
interface Gap {
  from: number;
  to: number;
  start: number;
  end: number;
  depth: number;
}

interface Lists {
  one: readonly string[];
  other: readonly string[];
}

/** A pair of equal parts, and the pairs before it. */
interface Link {
  at: number;
  place: number;
  before: Link | undefined;
}

/**
 * Where the parts of `one` stand in `other`, in the same order in both: first those that both have once, then a longest common
 * sequence of what is between. -1 for parts without a partner.
 */
export function matchParts(one: readonly string[], other: readonly string[]): number[] {
  const lists = { one, other };
  const matches = new Array<number>(one.length).fill(-1);
  const gaps: Gap[] = [{ from: 0, to: one.length, start: 0, end: other.length, depth: 0 }];
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    const inner = matchEnds(lists, gap, matches);
    gaps.push(...matchInner(lists, inner, matches));
  }
  return inFirstPlaces(lists, matches);
}

/** With the first of several equal parts where any would do, so that equal changes of two lists are at the same place. */
function inFirstPlaces({ one, other }: Lists, matches: readonly number[]): number[] {
  const slid = new Array<number>(one.length).fill(-1);
  let [next, start] = [0, 0];
  for (const [at, place] of matches.entries()) {
    if (place === -1) continue;
    const partner = other.indexOf(one[at] ?? "", start);
    const part = one.indexOf(one[at] ?? "", next);
    slid[part] = partner;
    [next, start] = [part + 1, partner + 1];
  }
  return slid;
}

/** Pairs what the lists have in common at both ends of a gap; returns the gap between. */
function matchEnds({ one, other }: Lists, gap: Gap, matches: number[]): Gap {
  let { from, to, start, end } = gap;
  while (from < to && start < end && one[from] === other[start]) matches[from++] = start++;
  while (from < to && start < end && one[to - 1] === other[end - 1]) matches[--to] = --end;
  return { from, to, start, end, depth: gap.depth };
}

/** Pairs what is equal in a gap; returns the gaps that are left to look at. */
function matchInner({ one, other }: Lists, gap: Gap, matches: number[]): Gap[] {
  const { from, to, start, end, depth } = gap;
  const [inOne, inOther] = [placesIn(one, from, to), placesIn(other, start, end)];
  let pairs = 0;
  for (const [key, places] of inOne) pairs += places.length * (inOther.get(key)?.length ?? 0);
  if (pairs === 0) return [];
  const placesOf = (at: number) => inOther.get(one[at] ?? "") ?? [];
  // A blank line between two others says nothing of where they are.
  const isOnlyOne = (at: number) =>
    placesOf(at).length === 1 && inOne.get(one[at] ?? "")?.length === 1 && one[at]?.trim() !== "";
  const anchors =
    depth < MAX_DEPTH ? longestChain(gap, (at) => (isOnlyOne(at) ? placesOf(at) : [])) : undefined;
  if (anchors !== undefined) return matchChain(anchors, { ...gap, depth: depth + 1 }, matches);
  if (pairs <= PAIRS_PER_PART * (to - from + end - start))
    matchChain(longestChain(gap, placesOf), gap, matches);
  else
    for (let at = 0; at < Math.min(to - from, end - start); at++)
      if (one[from + at] === other[start + at]) matches[from + at] = start + at;
  return [];
}

/** Returns the gaps between the pairs of a chain. */
function matchChain(last: Link | undefined, { from, to, start, end, depth }: Gap, matches: number[]): Gap[] {
  const gaps: Gap[] = [];
  let next = { to, end };
  for (let link = last; link !== undefined; link = link.before) {
    matches[link.at] = link.place;
    gaps.push({ from: link.at + 1, start: link.place + 1, depth, ...next });
    next = { to: link.at, end: link.place };
  }
  return [...gaps, { from, start, depth, ...next }];
}

/** Where each key stands in `[from, to)`, last place first. */
function placesIn(list: readonly string[], from: number, to: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = to - 1; at >= from; at--) {
    const key = list[at] ?? "";
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else known.push(at);
  }
  return places;
}

/** The last pair of a longest chain in which parts and places both rise. */
function longestChain({ from, to }: Gap, placesOf: (at: number) => readonly number[]): Link | undefined {
  /** By length: the chain that ends at the first place. */
  const ends: Link[] = [];
  for (let at = from; at < to; at++) {
    for (const place of placesOf(at)) {
      const length = firstFrom(ends, place);
      if (ends[length]?.place !== place) ends[length] = { at, place, before: ends[length - 1] };
    }
  }
  return ends.at(-1);
}

/** The first of the chains, whose places rise, that ends at `place` or behind it. */
function firstFrom(ends: readonly Link[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle]?.place ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
