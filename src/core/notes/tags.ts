import { listNames } from "../lib/escape.ts";
import { lineCounter } from "../lib/text.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { tagsIn } from "../markdown/tags.ts";
import { itemsOf } from "./field-names.ts";
import { plainTag } from "./tag.ts";

/** More would fill every list that shows them. */
const MAX_TAGS = 100;

/** The tags in the text below frontmatter. */
export function tagsOfBody(text: string, bodyOffset: number): string[] {
  const tags = new Set(tagsIn(text, bodyOffset).map((tag) => plainTag(tag.text)));
  return [...tags].slice(0, MAX_TAGS);
}

/** Where the text has other tags than `wanted`, which frontmatter cannot remove; null if it has none. */
export function tagsLeftHint(text: string, wanted: unknown): string | null {
  if (wanted === undefined) return null;
  const kept = itemsOf(wanted ?? []).map((tag) => plainTag(String(tag)));
  const lineOf = lineCounter(text);
  const left = new Map<string, string>();
  for (const { text: tag, start } of tagsIn(text, parseFrontmatter(text).bodyOffset)) {
    const line = lineOf(start);
    if (!kept.includes(plainTag(tag)) && !left.has(plainTag(tag)))
      left.set(plainTag(tag), `${tag} (line ${line})`);
  }
  return left.size === 0 ? null : `The text still has these tags: ${listNames([...left.values()])}.`;
}
