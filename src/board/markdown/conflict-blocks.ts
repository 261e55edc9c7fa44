import { conflictSides } from "../../core/markdown/conflicts.ts";

/**
 * The text with fences in place of the outer markers of each conflict, which would be headings and quotes. Places in the text
 * stay the same.
 */
export function fenceConflicts(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of conflictSides(text)) {
    const lines = text.slice(start, end).split(/(\r?\n)/);
    const last = lines.findLastIndex((line) => line.startsWith(">"));
    parts.push(text.slice(from, start));
    parts.push(...lines.map((line, at) => (at === 0 || at === last ? fenceOf(line) : line)));
    from = end;
  }
  return parts.join("") + text.slice(from);
}

function fenceOf(marker: string): string {
  return marker
    .replace(/^[<>]+/, (signs) => "~".repeat(signs.length))
    .replace(/ .*/, (label) => " ".repeat(label.length));
}
