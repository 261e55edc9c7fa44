import { once } from "../lib/collections.ts";
import { withoutMark } from "../lib/text.ts";
import { findHeadings } from "./headings.ts";

/** Tells whether an anchor (without `#`) leads anywhere in a text: to a heading, an element with that id, or the top. */
export function anchorFinder(text: string): (anchor: string) => boolean {
  const anchors = once(() => headingAnchors(text));
  return (anchor) => {
    // `^id` names a block, and `A#B` a heading below another.
    const wanted = slug(anchor.slice(anchor.lastIndexOf("#") + 1));
    if (anchor.includes("^") || wanted === "" || wanted === "top") return true;
    const marks = [`id="${anchor}"`, `name="${anchor}"`, `{#${anchor}}`, `{/*${anchor}*/}`];
    return anchors().has(wanted) || marks.some((mark) => text.includes(mark));
  };
}

/** The anchors of the headings as GitHub makes them: a repeated one gets `-1`, `-2` and so on. */
function headingAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const heading of findHeadings(withoutMark(text))) {
    const base = slug(shownText(heading.text));
    let anchor = base;
    let count = counts.get(base) ?? 0;
    while (anchors.has(anchor)) anchor = `${base}-${++count}`;
    counts.set(base, count);
    anchors.add(anchor);
  }
  return anchors;
}

/** Without the targets of links and, unless there is code, without tags and underscores for emphasis. */
function shownText(heading: string): string {
  const text = heading.replace(/!?\[([^[\]]{0,500})\]\([^()]{0,500}\)/g, "$1");
  if (text.includes("`")) return text;
  return text
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, "")
    .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, "");
}

function slug(text: string): string {
  const words = text.trim().normalize("NFC").toLowerCase();
  return words.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
}
