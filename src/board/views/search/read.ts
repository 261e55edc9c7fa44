import { call } from "../../state.ts";
import { asPrefix, type SearchAnswer } from "./text.ts";

interface Query {
  query: string;
  folder?: string;
  limit?: number;
}

/** What is found for a query, which may still be unfinished. */
export async function searchNotes(args: Query): Promise<SearchAnswer> {
  const found = await ask(args);
  const prefix = asPrefix(args.query, found);
  const wider = prefix === null ? undefined : await ask({ ...args, query: prefix });
  return wider !== undefined && wider.total_matches > 0 ? wider : found;
}

const FIRST = 20;

/** An answer with many results has no room for text: that of the first ones comes from a shorter answer. */
async function ask(args: Query): Promise<SearchAnswer> {
  const found = await call<SearchAnswer>("search", args);
  if (found.results.length <= FIRST) return found;
  const first = await call<SearchAnswer>("search", { ...args, limit: FIRST });
  return { ...found, results: [...first.results, ...found.results.slice(FIRST)] };
}
