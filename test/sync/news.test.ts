import assert from "node:assert/strict";
import { test } from "node:test";
import { addNews } from "../../src/together/sync/news.ts";

const NONE = { lost: [], renumbered: [], kept: [] };
const LOST = { path: "p/tasks/001-a.md", agent: "a1", holder: "b1" };
const MOVED = { from: "p/tasks/001-a.md", to: "p/tasks/002-a.md" };
const KEPT = { path: "p/status.md", time: "2026-01-01T00:00:00Z", change: undefined, shared: "x" };

test("what happens again is news again, and what still waits for a person is not", () => {
  const events = { lost: [LOST, LOST], renumbered: [MOVED], kept: [KEPT], warning: "it is full" };
  const first = addNews([], events);
  assert.equal(first.length, 4);
  assert.deepEqual(addNews(first, { ...NONE, kept: [KEPT], warning: "it is full" }), first);
  const second = addNews(first, events);
  assert.deepEqual(second, [...first, ...first.slice(0, 2)]);
});
