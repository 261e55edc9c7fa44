/** Tags are the same whatever their case. */
export function changedTags(
  before: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const known = new Set(removed.map(tagKey));
  return [...before, ...added].filter((tag) => {
    const isNew = !known.has(tagKey(tag));
    known.add(tagKey(tag));
    return isNew;
  });
}

function tagKey(tag: string): string {
  return tag.toLowerCase();
}
