import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byClass,
  charsPerAnswer,
  figuresOf,
  macroOf,
  percentile,
  placeOf,
} from "../../scripts/quality/score.ts";

const NOWHERE = Number.POSITIVE_INFINITY;

test("the place of an answer counts from 1, without the documents to ignore", () => {
  assert.equal(placeOf(["a.md", "b.md", "c.md"], ["c.md"], []), 3);
  assert.equal(placeOf(["a.md", "b.md", "c.md"], ["c.md"], ["a.md"]), 2);
  assert.equal(placeOf(["a.md", "b.md", "c.md"], ["c.md", "b.md"], []), 2);
  assert.equal(placeOf(["a.md"], ["c.md"], []), NOWHERE);
  assert.equal(placeOf([], ["c.md"], []), NOWHERE);
});

test("a place beyond the tenth is none, and ignored documents make room for one more", () => {
  const ranking = Array.from({ length: 12 }, (_, at) => `${at + 1}.md`);
  assert.equal(placeOf(ranking, ["10.md"], []), 10);
  assert.equal(placeOf(ranking, ["11.md"], []), NOWHERE);
  assert.equal(placeOf(ranking, ["11.md"], ["1.md"]), 10);
});

test("a path is the same composed and decomposed", () => {
  assert.equal(placeOf(["sesio\u0301n.md"], ["sesi\u00f3n.md"], []), 1);
});

test("figures are percentages of the queries", () => {
  const places = [1, 2, 10, NOWHERE];
  assert.deepEqual(figuresOf(places.map((place) => ({ class: "a", place, chars: 60 }))), {
    queries: 4,
    mrr: 40,
    recall1: 25,
    recall5: 50,
    recall10: 75,
    answered: 0,
    chars: 60,
  });
  const outcomes = [true, false, false, undefined].map((isAnswered) => ({
    class: "a",
    place: 1,
    isAnswered,
    chars: 60,
  }));
  assert.equal(figuresOf(outcomes).answered.toFixed(1), "33.3");
  assert.equal(charsPerAnswer(figuresOf(outcomes)), "180");
  assert.equal(charsPerAnswer({ chars: 60, answered: 0 }), "-");
});

test("the macro average weighs classes alike", () => {
  const outcomes = [
    { class: "b", place: 1, chars: 1 },
    ...Array.from({ length: 9 }, () => ({ class: "a", place: NOWHERE, chars: 3 })),
  ];
  const classes = byClass(outcomes);
  assert.deepEqual([...classes.keys()], ["a", "b"]);
  assert.equal(macroOf(classes).mrr, 50);
  assert.equal(macroOf(classes).queries, 10);
  assert.equal(macroOf(classes).chars, 2);
});

test("a percentile is one of the values", () => {
  const values = [4, 1, 3, 2];
  assert.equal(percentile(values, 0.5), 2);
  assert.equal(percentile(values, 0.95), 4);
  assert.equal(percentile([], 0.5), 0);
});
