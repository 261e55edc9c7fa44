import { withoutMarkdownExtension } from "../../../core/lib/file-names.ts";
import { parseAtxHeading } from "../../../core/markdown/headings.ts";
import type { ToolAnswer } from "../../../core/mcp/tool.ts";
import type { searchTool } from "../../../core/mcp/tools/search.ts";
import { baseName } from "../../../core/notes/names.ts";

/** What `search` answers. */
export type SearchAnswer = ToolAnswer<typeof searchTool>;

/** A heading as search shows it: `## Next` is `Next` of level 2. */
export function headingOf(line: string | null): { level: number; text: string } {
  return parseAtxHeading(line ?? "") ?? { level: 0, text: line ?? "" };
}

export type Found = SearchAnswer["results"][number];

/** Its title if that is where it was found, else `status` of `payments-api/status.md`. */
export function titleOf({ path, heading }: Pick<Found, "path" | "heading">): string {
  const { level, text } = headingOf(heading);
  return level === 1 ? text : withoutMarkdownExtension(baseName(path));
}

/**
 * The query with its last word as a prefix, if no note has that word: then it may be unfinished. `null` for any other query
 * and for one with signs, which may be a phrase or an expression.
 */
export function asPrefix(
  query: string,
  {
    corrected_query: corrected,
    missing_words: missing,
  }: Pick<SearchAnswer, "corrected_query" | "missing_words">,
): string | null {
  if (!/^[\p{L}\p{N}\p{M}\s]+$/u.test(query)) return null;
  const last = lastWord(query);
  const isUnknown =
    missing?.some((word) => lastWord(word) === last) === true ||
    (corrected !== undefined && lastWord(corrected) !== last);
  return isUnknown && last.length > 1 ? `${query}*` : null;
}

function lastWord(text: string): string {
  return text.trim().toLowerCase().split(/\s+/).at(-1) ?? "";
}
