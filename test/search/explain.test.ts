import assert from "node:assert/strict";
import { before, test } from "node:test";
import { reasonLines } from "../../src/core/search/explain.ts";
import { type SearchRequest, search } from "../../src/core/search/search.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { makeEntry, openIndex, plainTask, textOf } from "../fixtures/entries.ts";

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
  ]);
  assert.deepEqual(heldBy("bearer token", "blog/notes/more.md"), ["token"]);
  assert.deepEqual(heldBy("decisions", "shop/notes/other.md"), ["decision as a form of decisions"]);
  assert.deepEqual(heldBy("merchnats", "shop/notes/other.md"), ["merchants instead of merchnats"]);
});

/** What a line says: `score 9 = text 2 × folder 4.5` gives 9 and the figures after it by name. */
function equation(line = ""): { of: number; figures: Record<string, number> } {
  const [, of, product = ""] = / ([\d.]+) = (.*)/.exec(line) ?? [];
  const figures = product
    .split(" × ")
    .map((figure) => [figure.replace(/ \S+$/, ""), Number(figure.split(" ").at(-1))]);
  return { of: Number(of), figures: Object.fromEntries(figures) };
}

function assertProduct({ of, figures }: ReturnType<typeof equation>): void {
  const product = Object.values(figures).reduce((all, times) => all * times, 1);
  assert.ok(of > 0 && Math.abs(product - of) < 0.005 * of, `${product} is not ${of}`);
}

for (const damping of [0, 0.1, 1])
  test(`the figures multiply to the score that is shown, with boosts to the power of ${damping}`, () => {
    const results = ask("bearer token", { explain: true, preferred: "blog", damping });
    for (const { score, reasons } of results) {
      const [, text, shown] = reasonLines(reasons ?? assert.fail()).map(equation);
      assert.ok(text && shown);
      assertProduct(text);
      assertProduct(shown);
      assert.deepEqual(Object.keys(shown.figures), ["text", "folder", "recency", "heading", "status"]);
      assert.equal(shown.figures["text"], text.of);
      assert.equal(shown.of, Number(score.toPrecision(4)));
      const weights = reasons?.held.map(({ weight }) => weight) ?? [];
      assert.deepEqual(
        weights,
        weights.toSorted((a, b) => b - a),
        "the heaviest come first",
      );
    }
    const liftsOf = (path: string) =>
      results.find((result) => result.path === path)?.reasons?.lifts.map(({ what }) => what);
    assert.ok(liftsOf("shop/notes/tokens.md")?.includes("title or file name"));
    assert.ok(liftsOf("blog/notes/more.md")?.includes("current project"));
  });

test("with full boosts a task has the factors of its folder, age, heading and status", () => {
  const entry = makeEntry(
    "shop/tasks/007-build-the-indexer.md",
    "# Build the indexer\n\n## Objective\n\nThe indexer reads each note once.\n",
    { updated: "2026-06-10", task: plainTask, status: "in-progress" },
  );
  const found = search(openIndex(engine, [entry]), {
    ...{ query: "indexer reads each note once", filter: {}, limit: 1, now: NOW, damping: 1 },
    ...{ textOf, explain: true },
  });
  const [, , line] = reasonLines(found.results[0]?.reasons ?? assert.fail());
  const { of, figures } = equation(line);
  const { text = 0, ...factors } = figures;
  assert.deepEqual(factors, { folder: 2, recency: 1.5, heading: 1.5, status: 2 });
  assert.ok(Math.abs(of - text * 9) < 0.005 * of);
});

test("reasons are three lines, and come only when asked for", () => {
  assert.ok(ask("token").every(({ reasons }) => reasons === undefined));
  const [first] = ask("bearer token", { explain: true });
  const [held, text, score] = reasonLines(first?.reasons ?? assert.fail());
  assert.match(held ?? "", /^holds: (?=.*bearer \(\d\.\d\))(?=.*token \(\d\.\d\))/);
  assert.match(text ?? "", /^text [\d.]+ = passage [\d.]+ × .*title or file name \d/);
  assert.match(score ?? "", /^score [\d.]+ = text [\d.]+ × folder 1 × recency /);
});
