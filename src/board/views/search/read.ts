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
  /** Documents that match in the archive. */
  archived_matches?: number;
  total_matches: number;
  results: Result[];
}

interface Query {
  query: string;
  limit?: number;
}

/** What is found for a query, which may still be unfinished. */
export async function searchNotes(args: Query): Promise<Found> {
  const found = await ask(args);
  const prefix = asPrefix(args.query, found);
  const wider = prefix === null ? undefined : await ask({ ...args, query: prefix });
  return wider !== undefined && wider.total_matches > 0 ? wider : found;
}

const FIRST = 20;

/** An answer with many results has no room for text: that of the first ones comes from a shorter answer. */
async function ask(args: Query): Promise<Found> {
  const found = await call<Found>("search", args);
  if (found.results.length <= FIRST) return found;
  const first = await call<Found>("search", { ...args, limit: FIRST });
  return { ...found, results: [...first.results, ...found.results.slice(FIRST)] };
}
