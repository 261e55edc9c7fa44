import { fold } from "../lib/text.ts";
import { core } from "./words.ts";

const MAX_LABEL_CHARS = 80;

/** A heading or label as it is compared: no case, accents, emphasis, emoji or remark in parentheses. */
export function labelKey(text: string): string {
  if (text.length > MAX_LABEL_CHARS) return "";
  const withoutRemark = text.replace(/[(（][^()（）]*[)）]/gu, " ");
  return core(fold(withoutRemark)).replace(/[\s_]+/g, " ");
}
