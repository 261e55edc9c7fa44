import type { Connected } from "../support/workspace.ts";

/** What both vault_read and vault_scan say of a page. */
export interface Page {
  text: string;
  applied_range: { start_line: number; end_line: number };
  next_cursor: { char_offset: number | null };
  truncated: boolean;
  truncated_reason: string;
}

/** The texts of all pages of a file, by vault_scan, each from where the one before ended. */
export async function scanAll(call: Connected["call"], path: string): Promise<Page[]> {
  const pages: Page[] = [];
  let at: number | null = 0;
  while (at !== null) {
    const page: Page = await call<Page>("vault_scan", { path, cursor: { char_offset: at } });
    pages.push(page);
    at = page.next_cursor.char_offset;
  }
  return pages;
}

/** The text of a file from its first line on: a page by vault_read, the others by vault_scan. */
export async function readAll(call: Connected["call"], path: string): Promise<string> {
  const first = await call<Page>("vault_read", { path, full: true });
  let text = first.text;
  let at = first.next_cursor.char_offset;
  while (at !== null) {
    const page: Page = await call<Page>("vault_scan", { path, cursor: { char_offset: at } });
    text += page.text;
    at = page.next_cursor.char_offset;
  }
  return text;
}
