import { once } from "../lib/collections.ts";
import { TAG } from "./tags.ts";

/** What other programs keep behind the text of a line: comments, `[key:: value]`, `^block-id`, `#tag`, `📅 2026-12-01`. */
const annotation = once(() => {
  const kinds = [
    /<!--.*?(?:-->|$)/,
    /%%.*?(?:%%|$)/,
    /\[[^[\]():]{1,60}::[^[\]]{0,300}\]/,
    /\([^[\]():]{1,60}::[^()]{0,300}\)/,
    /(?<!\S)\^[\w-]{1,100}(?!\S)/,
    { source: `${TAG}(?!\\S)` },
    /\p{Extended_Pictographic}\uFE0F? {0,3}\d{4}-\d{2}-\d{2}/u,
  ];
  return new RegExp(kinds.map(({ source }) => source).join("|"), "gu");
});

/** A line without the annotations and the space at its end. */
export function withoutTail(line: string): string {
  let end = line.length;
  for (const {
    0: { length },
    index,
  } of [...line.matchAll(annotation())].reverse()) {
    if (line.slice(index + length, end).trim() !== "") break;
    end = index;
  }
  return line.slice(0, end).trimEnd();
}
