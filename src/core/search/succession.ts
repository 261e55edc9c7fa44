import { readJson } from "../index/postings.ts";
import { indexedSuccessors } from "../index/succession.ts";
import { groupBy } from "../lib/collections.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { Hit } from "./hits.ts";

const PATHS = `SELECT json_group_object(d.id, d.path)
  FROM json_each(?) listed CROSS JOIN documents d ON d.id = listed.value`;

/**
 * The first `limit` of these hits, of which one that was superseded stands directly behind what came after it, if that matches:
 * they take the best place that one of them has.
 */
export function behindSuccessors(db: SqlDatabase, hits: readonly Hit[], limit: number): Hit[] {
  const later = indexedSuccessors(db);
  const shown = hits.slice(0, limit);
  if (later.size === 0) return shown;
  const paths = readJson<Record<number, string>>(db, PATHS, [
    JSON.stringify(hits.map(({ document }) => document)),
  ]);
  const byPath = new Map(hits.map((hit) => [paths[hit.document] ?? "", hit]));
  const after = ({ document }: Hit) => later.get(paths[document] ?? "") ?? [];
  const lastOf = (hit: Hit) =>
    after(hit)
      .flatMap((path) => byPath.get(path) ?? [])
      .at(-1) ?? hit;
  const groups = [...groupBy(shown, lastOf)].flatMap(([last, own]) => {
    const all = [...new Set([last, ...own])].sort((a, b) => after(a).length - after(b).length);
    const score = Math.max(...all.map((hit) => hit.score));
    return all.map((hit) => (hit.score === score ? hit : lifted(hit, score)));
  });
  return groups.slice(0, limit);
}

function lifted(hit: Hit, score: number): Hit {
  const factors = { ...hit.factors, "beside its successor": score / hit.score };
  return { ...hit, score, factors };
}
