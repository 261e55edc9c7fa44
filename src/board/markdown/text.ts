/** A document's frontmatter without its markers, null without one, and where its body starts. */
export function splitFrontmatter(text: string): { yaml: string | null; bodyOffset: number } {
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const block = /^---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|(?![\s\S]))/ms.exec(text.slice(mark));
  if (block === null || block.index !== 0) return { yaml: null, bodyOffset: mark };
  return { yaml: block[1] ?? "", bodyOffset: mark + block[0].length };
}

/** The anchor of a heading as GitHub makes it, without the number of a repeated one. */
export function slug(text: string): string {
  const words = text.trim().normalize("NFC").toLowerCase();
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
}

/** Gives each text an anchor of its own: the second `Notes` gets `notes-1`. */
export function slugger(): (text: string) => string {
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

/** Gives each heading's level below a title of level 1, so that none is left out: 1, 3, 3 and 2 become 2, 3, 3 and 3. */
export function nesting(): (level: number) => number {
  const open: number[] = [];
  return (level) => {
    while ((open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    return Math.min(open.length + 1, 6);
  };
}

/** The lines of a text from `start` on that stand outside code fences. */
export function* proseLines(text: string, start: number): Generator<{ start: number; line: string }> {
  let fence: string | undefined;
  let at = start;
  for (const line of text.slice(start).split("\n")) {
    const [, mark] = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/.exec(line) ?? [];
    const isClosing = fence !== undefined && mark?.startsWith(fence) && line.trim() === mark;
    if (fence === undefined && mark === undefined) yield { start: at, line };
    fence = isClosing ? undefined : (fence ?? mark);
    at += line.length + 1;
  }
}
