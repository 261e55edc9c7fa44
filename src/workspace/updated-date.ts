import { localDate } from "../lib/clock.ts";

/** The day a document counts as updated: frontmatter's `updated` before the file's modification time. */
export function updatedDate(document: { updated: string | null; mtime: number }): string {
  return document.updated?.slice(0, 10) ?? localDate(new Date(document.mtime));
}
