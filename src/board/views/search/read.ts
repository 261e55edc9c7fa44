import { call } from "../../state.ts";
import { asPrefix } from "./text.ts";

export interface Result {
  project: string;
  path: string;
  heading: string | null;
  snippet: string;
  /** Further matches in this document. */
  more: number;
  metadata: { status: string | null; updated: string | null };
}

/** What `search` answers. */
export interface Found {
  corrected_query?: string;
  missing_words?: string[];
  weak?: true;
  total_matches: number;
  results: Result[];
}

/** What is found for a query, which may still be unfinished. */
export async function searchNotes(args: { query: string; limit?: number }): Promise<Found> {
  const found = await call<Found>("search", args);
  const prefix = asPrefix(args.query, found);
  const wider = prefix === null ? undefined : await call<Found>("search", { ...args, query: prefix });
  return wider !== undefined && wider.total_matches > 0 ? wider : found;
}
