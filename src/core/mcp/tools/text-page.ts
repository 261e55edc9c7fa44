import { UserError } from "../../lib/errors.ts";

/** Few enough for clients to show an answer whole. */
export const MAX_PAGE_CHARS = 40_000;

/** Up to 40,000 characters from `offset`; a surrogate pair is never split. Throws INVALID_ARGUMENT beyond the end. */
export function textPage(text: string, offset: number) {
  if (offset > text.length) {
    const message = `'offset' is ${offset}, but the text ends at ${text.length}. Use next_offset of the previous answer.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { total_chars: text.length } });
  }
  const rest = text.slice(offset);
  const content =
    rest.length <= MAX_PAGE_CHARS ? rest : rest.slice(0, MAX_PAGE_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  const end = offset + content.length;
  return { content, total_chars: text.length, ...(end < text.length && { next_offset: end }) };
}
