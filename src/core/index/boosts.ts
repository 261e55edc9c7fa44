import { fold } from "../lib/text.ts";
import { factsOf, isTaskStatus } from "../notes/task/statuses.ts";
import { hasSpaces, inAnyLanguage } from "../notes/words/languages.ts";
import type { DocumentRow } from "./catalog.ts";

/** Factors of a chunk's score, by its kind and age. */
const BOOSTS = {
  statusFile: 3,
  folder: {
    tasks: 2,
    plans: 1.8,
    sessions: 1.5,
    changelog: 1.2,
    reports: 1,
    references: 0.8,
    scratch: 0.5,
    assets: 0.3,
  } as Readonly<Record<string, number>>,
  /** Boost by age: up to `days` old. */
  recency: [
    { days: 1, boost: 2 },
    { days: 7, boost: 1.5 },
    { days: 30, boost: 1.2 },
    { days: 90, boost: 1 },
  ],
  older: 0.8,
  heading: { now: 2.5, goal: 1.5 },
} as const;

/** Words that a heading contains or, in a language without spaces, that it consists of. */
const HEADINGS = (["now", "goal"] as const).map((kind) => ({
  boost: BOOSTS.heading[kind],
  words: inAnyLanguage((language) => (hasSpaces(language) ? language.headings[kind] : "")),
  names: inAnyLanguage((language) => (hasSpaces(language) ? "" : language.headings[kind])),
}));

/** Costs no relevance and still orders documents that are about equally relevant (docs/contributing/search.md). */
export const DEFAULT_DAMPING = 0.1;

/** The highest product of boosts by the lowest. */
export const BOOST_SPAN = 84;

/** The boost that all chunks of a document have, whatever its age. */
export function documentBoost(
  row: Parameters<typeof folderBoost>[0] & Parameters<typeof statusBoost>[0],
): number {
  return folderBoost(row) * statusBoost(row);
}

export function folderBoost({ folder, filename }: Pick<DocumentRow, "folder" | "filename">): number {
  const isStatusFile = folder === "" && filename.toLowerCase() === "status.md";
  return isStatusFile ? BOOSTS.statusFile : boostOf(BOOSTS.folder, folder);
}

/** Only tasks have one. */
export function statusBoost({ task, status }: { task: unknown; status: string | null }): number {
  return task !== null && isTaskStatus(status) ? factsOf(status).boost : 1;
}

/** 1 for a name without a row, even `constructor`. */
function boostOf(table: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(table, name) ? (table[name] ?? 1) : 1;
}

/** The highest boost of a heading. */
export const PRIORITY_BOOST = BOOSTS.heading.now;

export function headingBoost(heading: string | null): number {
  if (heading === null) return 1;
  const name = fold(heading)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const spaced = ` ${name} `;
  const row = HEADINGS.find(
    ({ words, names }) => words.some((word) => spaced.includes(` ${word} `)) || names.includes(name),
  );
  return row?.boost ?? 1;
}

/** By age in days. */
export function recencyBoost(age: number): number {
  return BOOSTS.recency.find(({ days }) => age <= days)?.boost ?? BOOSTS.older;
}

/** Days since 1970 of a time in milliseconds. */
export function dayOf(time: number): number {
  return Math.floor(time / 86_400_000);
}
