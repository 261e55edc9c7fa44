import { fold } from "../lib/text.ts";
import { withoutTail } from "../markdown/tail.ts";
import { inAnyLanguage } from "./words/languages.ts";

/** A short text from its first letter or digit to its last: no emphasis, bullets or emoji around it. */
export function core(text: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(text)?.[0] ?? "";
}

const MAX_LABEL_CHARS = 80;

/** A heading or label for comparison: no case, accents, emphasis, emoji or remark in parentheses. */
export function labelKey(text: string): string {
  if (text.length > MAX_LABEL_CHARS) return "";
  const withoutRemark = text.replace(/[(（][^()（）]*[)）]/gu, " ");
  return core(fold(withoutRemark)).replace(/[\s_]+/g, " ");
}

export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** At most `limit` characters, cut at a space in the second half, if any, and ended by `…`. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 1);
  const space = /^.*\s/su.exec(head)?.[0].length ?? 0;
  const kept = space > limit / 2 ? head.slice(0, space) : withoutHalfCharacter(head);
  return `${kept.trimEnd()}…`;
}

/** `text` without the first half of a surrogate pair that a cut left at its end. */
export function withoutHalfCharacter(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
}

/** The items of `a, b (see c, d), e` without remarks in parentheses; none for `-`, `none` and an empty text. */
export function splitList(text: string): string[] {
  return listItems(text).map((item) => item.text);
}

/** An item of a list without remarks, its place, and the same as written. */
interface ListItem {
  text: string;
  start: number;
  written: string;
}

/** `[[003-a|A, b]]`, `[a, b](003-a.md)`. */
const LINK = /\[\[[^[\]]{0,300}\]\]|\[(?:\\.|[^[\]\\]){0,300}\]\([^()]{0,300}\)/.source;
/** Items up to a separator outside links. */
const LIST_ITEM = new RegExp(`(?:${LINK}|[^,;、，；])+`, "g");
const LINK_OR_REMARK = new RegExp(`${LINK}|\\(`, "g");

/** The items of a list, with their places. */
export function listItems(line: string): ListItem[] {
  const text = withoutTail(line);
  const items = [...withoutRemarks(text).matchAll(LIST_ITEM)]
    .map(({ 0: part, index }) => ({
      text: part.trim(),
      start: index + part.length - part.trimStart().length,
      written: text.slice(index, index + part.length).trim(),
    }))
    .filter((item) => hasWord(item.text));
  return items.length === 1 && isNone(items[0]?.text ?? "") ? [] : items;
}

const NONE_WORDS = inAnyLanguage(({ none }) => none);

function isNone(item: string): boolean {
  return item.length < 50 && NONE_WORDS.includes(core(item).toLowerCase());
}

/** Spaces for each `(…)` outside links and their targets. */
function withoutRemarks(written: string): string {
  const text = written.replaceAll("（", "(").replaceAll("）", ")");
  const parts: string[] = [];
  let from = 0;
  const keep = (part: string, start: number) => {
    parts.push(text.slice(from, start), part);
    from = start + part.length;
  };
  for (const { 0: part, index } of text.matchAll(LINK_OR_REMARK)) {
    if (index < from) continue;
    if (part !== "(") {
      keep(written.slice(index, index + part.length), index);
      continue;
    }
    const close = text.indexOf(")", index);
    if (close === -1) break;
    const length = close + 1 - index;
    keep(text[index - 1] === "]" ? text.slice(index, close + 1) : " ".repeat(length), index);
  }
  return parts.join("") + text.slice(from);
}
