import { quoteName } from "../../lib/escape.ts";
import { findConflicts } from "../../markdown/conflicts.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import type { Document } from "../../workspace/read.ts";
import { onlyPart, type PartsRead } from "../parts-read.ts";

/** A line that stands for a rest is no longer. */
const MAX_LINE = 100;

/** Lines such as `[... rest of the document unchanged ...]` and `<!-- remaining sections as before -->` stand for text. */
const UNCHANGED =
  /\b(?:unchanged|no changes|not changed|(?:same )?as before|(?:remains?|stays?) the same|omitted|truncated|keep (?:the )?(?:rest|remaining|everything else)|sin cambios|igual que antes)\b|変更なし|省略|不变|未更改/iu;
const REST =
  /\b(?:rest|remaining|remainder|existing|previous|original|content|everything else|resto)\b|残り|以下|以降|其余|剩余/iu;
const MARK = /^(?:[[(（【]|<!--|\/\/)/;
const ELLIPSIS = /^\W*(?:\.{3}|…)/u;

/**
 * Throws CONFLICT for a text that ends where a part that was read ended, and, unless its hash tells that the present one is `known`,
 * for its beginning and a text that says that the rest is unchanged.
 */
export function checkWhole(
  document: Document,
  content: string,
  { parts, known }: { parts: PartsRead; known: boolean },
): void {
  parts.check(document, content);
  if (known) return;
  const { path, text: before } = document;
  // Who resolves a conflict keeps one side of it.
  if (findConflicts(before).length === 0 && isBeginning(bodyOf(before), bodyOf(content)))
    throw onlyPart(path, `The text is only a part of ${quoteName(path)}`);
  checkRest(path, { before, content });
}

/** Throws CONFLICT for a text that says that the rest is unchanged, unless the document said so before. */
export function checkRest(path: string, { before, content }: { before: string; content: string }): void {
  const known = new Set(before.split(/\r?\n/));
  const lines = content.trimEnd().split(/\r?\n/);
  const rest = lines.find((line, at) => !known.has(line) && standsForRest(line, at === lines.length - 1));
  if (rest !== undefined) throw onlyPart(path, `${quoteName(rest.trim())} would become part of the text`);
}

function standsForRest(line: string, isLast: boolean): boolean {
  const text = line.replace(/^[\s>*_]+/, "").trimEnd();
  if (text.length > MAX_LINE || text === "") return false;
  const saysRest = REST.test(text);
  if (UNCHANGED.test(text) && (ELLIPSIS.test(text) || (saysRest && MARK.test(text)))) return true;
  if (saysRest && ELLIPSIS.test(text) && /(?:\.{3}|…)\W*$/u.test(text)) return true;
  return isLast && UNCHANGED.test(text) && /^(?:the )?rest\b/i.test(text);
}

function bodyOf(text: string): string {
  return text.slice(parseFrontmatter(text).bodyOffset).replaceAll("\r\n", "\n").trim();
}

function isBeginning(old: string, given: string): boolean {
  return given.length < old.length && old.startsWith(given);
}
