import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostings } from "../../src/core/index/postings.ts";
import { textScores } from "../../src/core/search/bm25.ts";
import { coverageOf } from "../../src/core/search/coverage.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";

const engine = await openEngine();

/** The score of the chunk that holds all the words, each with a weight; `often` is in so many other chunks. */
function scoreOf(words: Record<string, number>, often: number): number | undefined {
  const db = openIndex(engine, [
    makeEntry("p/notes/both.md", "rare often often"),
    makeEntry("p/notes/others.md", "# Part\n\noften\n\n".repeat(often)),
    makeEntry("p/notes/rest.md", "# Part\n\nnothing\n\n".repeat(2 * often)),
  ]);
  const { of, size } = openPostings(db);
  const clauses = Object.entries(words).map(([word, weight]) => ({
    match: `"${word}"`,
    weight,
    isScored: true,
    chunks: of(`"${word}"`),
    of: word,
    texts: [word],
  }));
  const whole = clauses.reduce((sum, { weight }) => sum + weight, 0);
  const coverage = coverageOf(clauses, { size, least: 1 });
  const scores = textScores(db, { clauses, phrases: [], whole }, coverage);
  assert.deepEqual([scores.length, coverage.matches.length], [1, 1]);
  return scores[0]?.score;
}

test("a word in very many chunks only adds its weight to other matches; in fewer chunks it is scored", () => {
  const [few, many] = [100, 2100];
  const rare = { few: scoreOf({ rare: 5 }, few) ?? 0, many: scoreOf({ rare: 5 }, many) ?? 0 };
  assert.equal(scoreOf({ rare: 5, often: 0.25 }, many), rare.many + 0.25);
  const scored = (scoreOf({ rare: 5, often: 0.25 }, few) ?? 0) - rare.few;
  assert.ok(scored > 0 && Math.abs(scored - 0.25) > 0.01, String(scored));
});
