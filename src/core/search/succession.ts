import { readJson } from "../index/postings.ts";
import { indexedSuccessors } from "../index/succession.ts";
import { groupBy } from "../lib/collections.ts";
import { laterThan } from "../notes/standing/successors.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { Hit } from "./hits.ts";

const PATHS = `SELECT json_group_object(d.id, d.path)
  FROM json_each(?) listed CROSS JOIN documents d ON d.id = listed.value`;

/**
 * The first `limit` of these hits, of which one that was superseded stands directly behind what came after it, if that matches:
 * they take the best place that one of them has.
 */
export function behindSuccessors(db: SqlDatabase, hits: readonly Hit[], limit: number): Hit[] {
  const direct = indexedSuccessors(db);
  const shown = hits.slice(0, limit);
  if (direct.size === 0) return shown;
  const listed = JSON.stringify(hits.map(({ document }) => document));
  const paths = readJson<Record<number, string>>(db, PATHS, [listed]);
  const byPath = new Map(hits.map((hit) => [paths[hit.document] ?? "", hit]));
  const later = ({ document }: Hit) =>
    laterThan(paths[document] ?? "", direct).flatMap((path) => byPath.get(path) ?? []);
  const groups = groupBy(shown, (hit) => later(hit).at(-1) ?? hit);
  return [...groups].flatMap(([last, own]) => together([...new Set([last, ...own])], later)).slice(0, limit);
}

function together(hits: Hit[], later: (hit: Hit) => Hit[]): Hit[] {
  const score = Math.max(...hits.map((hit) => hit.score));
  const lifted = hits.map((hit) => {
    const factors = { ...hit.factors, "beside its successor": score / hit.score };
    return hit.score === score ? hit : { ...hit, score, factors };
  });
  return lifted.sort((a, b) => later(a).length - later(b).length);
}
