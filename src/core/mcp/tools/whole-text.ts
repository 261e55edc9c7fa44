import { quoteName } from "../../lib/escape.ts";
import { findConflicts } from "../../markdown/conflicts.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { trackedHeadings } from "../../markdown/headings.ts";
import { findSection, headingLine } from "../../markdown/sections.ts";
import type { Document } from "../../workspace/read.ts";
import { onlyPart, type PartsRead } from "../parts-read.ts";
import { MAX_PAGE_CHARS } from "./text-page.ts";

/** Enough of an end to find it again, and more than a note on what is left out. */
const MAX_END = 100;

/** Lines such as `[... rest of the document unchanged ...]` and `<!-- remaining sections as before -->` stand for text. */
const UNCHANGED =
  /\b(?:unchanged|no changes|not changed|(?:same )?as before|(?:remains?|stays?) the same|omitted|truncated|keep (?:the )?(?:rest|remaining|everything else)|sin cambios|igual que antes)\b|変更なし|省略|不变|未更改/iu;
const REST =
  /\b(?:rest|remaining|remainder|existing|previous|original|content|everything else|resto)\b|残り|以下|以降|其余|剩余/iu;
const MARK = /^(?:[[(（【]|<!--|\/\/)/;
const ELLIPSIS = /^\W*(?:\.{3}|…)/u;

/**
 * Throws CONFLICT for a text that is only a part of the one that it would replace, or says that the rest is unchanged. A client
 * that gives the hash of the present text knows what it replaces, as far as its `parts` go.
 */
export function checkWhole(document: Document, content: string, parts: PartsRead | undefined): void {
  if (parts !== undefined) {
    parts.check(document, content);
    return;
  }
  const { path, text: before } = document;
  const [old, given] = [bodyOf(before), bodyOf(content)];
  // Who resolves a conflict keeps one side of it.
  if (findConflicts(before).length === 0 && isPart(old, given))
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
  if (text.length > MAX_END || text === "") return false;
  const saysRest = REST.test(text);
  if (UNCHANGED.test(text) && (ELLIPSIS.test(text) || (saysRest && MARK.test(text)))) return true;
  if (saysRest && ELLIPSIS.test(text) && /(?:\.{3}|…)\W*$/u.test(text)) return true;
  return isLast && UNCHANGED.test(text) && /^(?:the )?rest\b/i.test(text);
}

function bodyOf(text: string): string {
  return text.slice(parseFrontmatter(text).bodyOffset).replaceAll("\r\n", "\n").trim();
}

/** What reading a part gives: the beginning, also of one section, or a page of a long document, whose end may have been cut. */
function isPart(old: string, given: string): boolean {
  if (given.length >= old.length) return false;
  if (old.startsWith(given) || isSection(old, given)) return true;
  if (old.length <= MAX_PAGE_CHARS) return false;
  const end = given.slice(-MAX_END);
  return `\n${old}\n`.includes(`\n${given}\n`) || (old.includes(end) && !old.endsWith(end));
}

function isSection(old: string, given: string): boolean {
  const [heading] = trackedHeadings(given);
  const section = heading?.start === 0 ? findSection(old, headingLine(heading)) : null;
  return section !== null && old.slice(section.heading.start, section.end).startsWith(given);
}
