import { core } from "../short-text.ts";
import { byMeaning } from "../words/languages.ts";

export { PRIORITIES } from "../words/type.ts";

const MEANINGS = byMeaning(({ priorities }) => priorities);

/** `high` of `Urgent`, `P1`, `alta` and `⏫`; other text unchanged, in lower case. */
export function normalizePriority(text: string): string {
  const key = core(text.normalize("NFKC")).toLowerCase() || text.trim();
  return MEANINGS.get(key) ?? key;
}
