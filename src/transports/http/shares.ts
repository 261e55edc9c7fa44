/** How many of something a principal has, and who has most. */
export interface Shares {
  own: number;
  most: { principal: string; count: number };
}

/** Counts the owners of what is all taken, for a principal that wants one as well. */
export function sharesOf(owners: Iterable<string>, principal: string): Shares {
  const counts = new Map<string, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  let most = { principal, count: counts.get(principal) ?? 0 };
  for (const [owner, count] of counts) if (count > most.count) most = { principal: owner, count };
  return { own: counts.get(principal) ?? 0, most };
}
