import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { versionOf } from "../../storage/open-entry.ts";
import { afterBreak, countBreaks, lineStart, type PagedFile, readPage } from "../../storage/pages.ts";
import type { Vault } from "../../workspace/vault.ts";
import { withFile } from "./path.ts";

export const MAX_CHARS = 12_000;

export const lineParam = () => z.number().int().min(1).optional();

/** The output that all pages have. */
export const pageOutput = () => ({
  text: z.string(),
  applied_range: z.object({ start_line: z.number().int(), end_line: z.number().int() }),
  next_cursor: z.object({ char_offset: z.number().int().nullable() }),
  truncated: z.boolean(),
});

/** Where a page starts: at a line (from 1) or at a character. */
export type Start = { line: number } | { char: number };

export interface VaultPage {
  text: string;
  startLine: number;
  endLine: number;
  /** The offset of the next unread character; null at the end of the file. */
  next: number | null;
  /** Why the page ends before the file does. */
  reason: "none" | "range_end" | "max_chars";
}

interface Range {
  start: Start;
  /** The last line. */
  end?: number | undefined;
}

/** Up to 12,000 characters of a file. Throws invalid_parameter for a start beyond its end. */
export function pageOf(vault: Vault, path: string, range: Range): Promise<VaultPage> {
  return withFile(vault, { path, use: "read" }, async (file) => {
    const version = versionOf(file);
    const paged = { descriptor: file.descriptor, index: vault.pages(file.file, version) };
    const page = await cutPage(paged, range);
    // A write in between may have spoilt the index of the pages.
    if (versionOf(file) !== version) vault.forget(file.file, version);
    return page;
  });
}

async function cutPage(file: PagedFile, { start, end: endLine }: Range): Promise<VaultPage> {
  const offset = "char" in start ? start.char : await lineStart(file, start.line);
  const page = offset === undefined ? undefined : await readPage(file, offset, MAX_CHARS);
  if (page === undefined) throw beyond(file, start);
  const whole = page.text;
  const breaksInRange = endLine === undefined ? Infinity : endLine - page.line + 1;
  const end = afterBreak(whole, breaksInRange);
  const text = whole.slice(0, end);
  const isEnd = page.atEnd && end === whole.length;
  const breaks = countBreaks(text);
  return {
    text,
    startLine: page.line,
    endLine: page.line + breaks - (text.endsWith("\n") ? 1 : 0),
    next: isEnd ? null : page.start + text.length,
    reason: isEnd ? "none" : breaks === breaksInRange ? "range_end" : "max_chars",
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
