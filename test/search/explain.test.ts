import assert from "node:assert/strict";
import { before, test } from "node:test";
import { reasonLines } from "../../src/search/explain.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import { type Engine, openEngine } from "../../src/sqlite/engine.ts";
import { makeEntry, openIndex, textOf } from "../fixtures/entries.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

function ask(query: string, given: Partial<SearchRequest> = {}) {
  const db = openIndex(engine, [
    makeEntry("shop/notes/tokens.md", "# Bearer token\n\nEvery request needs a bearer token.\n"),
    makeEntry("shop/notes/other.md", "# Other\n\nThe merchants deployed a decision.\n"),
    makeEntry("blog/notes/more.md", "# More\n\nNothing else about a token.\n"),
  ]);
  return search(db, { query, filter: {}, limit: 10, now: NOW, damping: 0.1, textOf, ...given }).results;
}

test("a result says which words, forms and corrections its passage holds", () => {
  const heldBy = (query: string, path: string) =>
    ask(query, { explain: true })
      .find((result) => result.path === path)
      ?.reasons?.held.map(({ what }) => what);
  assert.deepEqual(heldBy("bearer token", "shop/notes/tokens.md")?.sort(), [
    "bearer",
    "the words side by side: bearer token",
    "token",
    "tokens as a form of token",
  ]);
  assert.deepEqual(heldBy("bearer token", "blog/notes/more.md"), ["token"]);
  assert.deepEqual(heldBy("decisions", "shop/notes/other.md"), ["decision as a form of decisions"]);
  assert.deepEqual(heldBy("merchnats", "shop/notes/other.md"), ["merchants instead of merchnats"]);
});

test("the factors, the text and a second passage make up the score", () => {
  const results = ask("bearer token", { explain: true, preferred: "blog" });
  for (const { score, reasons } of results) {
    const { held, factors, text, second } = reasons ?? assert.fail();
    const weights = held.map(({ weight }) => weight);
    assert.deepEqual(
      weights,
      weights.toSorted((a, b) => b - a),
      "the heaviest come first",
    );
    const [age = 1, ...names] = [
      factors.find(({ what }) => what === "kind and age")?.times,
      ...factors.flatMap(({ what, times }) => (what === "kind and age" ? [] : [times])),
    ];
    const sum = names.reduce((product, times) => product * times, text * age + second);
    assert.ok(Math.abs(sum - score) < 0.02 * score, `${sum} is not ${score}`);
  }
  const factorsOf = (path: string) =>
    results.find((result) => result.path === path)?.reasons?.factors.map(({ what }) => what);
  assert.ok(factorsOf("shop/notes/tokens.md")?.includes("title or file name"));
  assert.ok(factorsOf("blog/notes/more.md")?.includes("current project"));
});

test("reasons are two lines, and come only when asked for", () => {
  assert.ok(ask("token").every(({ reasons }) => reasons === undefined));
  const [first] = ask("bearer token", { explain: true });
  const [held, score] = reasonLines(first?.reasons ?? assert.fail());
  assert.match(held ?? "", /^holds: (?=.*bearer \(\d\.\d\))(?=.*token \(\d\.\d\))/);
  assert.match(score ?? "", /^score: text \d+\.\d.*title or file name × \d\.\d\d/);
});
