/** Gives each heading an anchor of its own: a repeated one gets `-1`, `-2` and so on. */
export function anchorMaker(): (text: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (text) => {
    const base = slug(text);
    let anchor = base;
    let count = counts.get(base) ?? 0;
    while (taken.has(anchor)) anchor = `${base}-${++count}`;
    counts.set(base, count);
    taken.add(anchor);
    return anchor;
  };
}

/** A heading without the targets of links and, unless there is code, without tags and underscores for emphasis. */
export function shownText(heading: string): string {
  const text = heading.replace(/!?\[([^[\]]{0,500})\]\([^()]{0,500}\)/g, "$1");
  if (text.includes("`")) return text;
  return text
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, "")
    .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, "");
}

/** The anchor of a heading, without the number of a repeated one. */
export function slug(text: string): string {
  const words = text.trim().normalize("NFC").toLowerCase();
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
}
