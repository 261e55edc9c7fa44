import { counted } from "../../lib/text.ts";
import { quotePath } from "../quote.ts";
import type { StandingWord } from "../words/type.ts";

/** A document that no longer holds: the last ones that came after it, or its own word. */
export interface Lapse {
  word: Exclude<StandingWord, "proposed">;
  successors: readonly string[];
}

const MOST = 2;

/** Null for one that holds. */
export function lapseOf(word: StandingWord | null, successors: readonly string[]): Lapse | null {
  if (successors.length > 0) return { word: "superseded", successors };
  return word === null || word === "proposed" ? null : { word, successors };
}

/** One short sentence. */
export function lapseText({ word, successors }: Lapse): string {
  if (successors.length === 0) return word === "superseded" ? "superseded, by no note that is here" : word;
  const more = successors.length - MOST;
  const named = successors.slice(0, MOST).map(quotePath).join(" and ");
  return `superseded by ${named}${more > 0 ? ` and ${counted(more, "more note")}` : ""}`;
}
