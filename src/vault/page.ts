import { afterBreak, countBreaks, lineStart, type PagedFile, readPage } from "../files/pages.ts";
import { versionOf } from "../files/place.ts";
import { UserError } from "../lib/errors.ts";
import type { Vault } from "../workspace/vault.ts";
import { withFile } from "./file.ts";

export const MAX_CHARS = 12_000;

/** Where a page starts: at a line (from 1) or at a character. */
export type Start = { line: number } | { char: number };

export interface VaultPage {
  text: string;
  startLine: number;
  endLine: number;
  /** Where the next unread character stands; null at the end of the file. */
  next: number | null;
  /** What ended it before the end of the file. */
  reason: "none" | "range_end" | "max_chars";
}

interface Wanted {
  start: Start;
  /** The last wanted line. */
  end?: number | undefined;
}

/** Up to 12,000 characters of a file. Throws invalid_parameter for a start that the file does not have. */
export function pageOf(vault: Vault, path: string, wanted: Wanted): Promise<VaultPage> {
  return withFile(vault, { path, use: "read" }, async (file) => {
    const version = versionOf(file);
    const paged = { descriptor: file.descriptor, index: vault.pages(file.file, version) };
    const found = await cutPage(paged, wanted);
    // What was written to meanwhile may be known by wrong marks: they are not kept.
    if (versionOf(file) !== version) vault.forget(file.file, version);
    return found;
  });
}

async function cutPage(file: PagedFile, { start, end: endLine }: Wanted): Promise<VaultPage> {
  const offset = "char" in start ? start.char : await lineStart(file, start.line);
  const page = offset === undefined ? undefined : await readPage(file, offset, MAX_CHARS);
  if (page === undefined) throw beyond(file, start);
  const whole = page.text;
  const wantedBreaks = endLine === undefined ? Infinity : endLine - page.line + 1;
  const end = afterBreak(whole, wantedBreaks);
  const text = whole.slice(0, end);
  const isEnd = page.atEnd && end === whole.length;
  const breaks = countBreaks(text);
  return {
    text,
    startLine: page.line,
    endLine: page.line + breaks - (text.endsWith("\n") ? 1 : 0),
    next: isEnd ? null : page.start + text.length,
    reason: isEnd ? "none" : breaks === wantedBreaks ? "range_end" : "max_chars",
  };
}

function beyond({ index: { end } }: PagedFile, start: Start): UserError {
  const [argument, has] =
    "line" in start
      ? ["start_line", `${end?.lines} lines`]
      : ["cursor.char_offset", `${end?.char} characters`];
  const message = `'${argument}' lies beyond the file, which has ${has}. Start inside it.`;
  const details = { argument, lines: end?.lines, chars: end?.char };
  return new UserError("invalid_parameter", message, { details });
}
