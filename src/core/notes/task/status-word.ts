import { isTypo, nearest } from "../../lib/text.ts";
import { core } from "../short-text.ts";
import { byMeaning } from "../words/languages.ts";
import type { TaskStatus } from "./statuses.ts";

const STATUSES = byMeaning(({ statuses }) => statuses);

const LONGEST_ALIAS = 100;

/** The standard status for `text` (`In Progress`, `✅ done`, `**wip**`), else the trimmed text. */
export function normalizeStatus(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_ALIAS) return trimmed;
  const withoutRemark = trimmed.replace(/[(（][^()（）]*[)）]\W*$/u, "");
  const key = core(withoutRemark.normalize("NFKC"))
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[\s_-]+/g, " ");
  return STATUSES.get(key) ?? trimmed;
}

/** The status whose word was misspelled. */
export function nearestStatus(text: string): TaskStatus | undefined {
  const [near] = nearest(text, STATUSES.keys(), 1).filter((word) => isTypo(text, word));
  return near === undefined ? undefined : STATUSES.get(near);
}
