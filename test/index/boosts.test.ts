import assert from "node:assert/strict";
import { before, test } from "node:test";
import { dayOf, documentBoost, headingBoost, recencyBoost } from "../../src/core/index/boosts.ts";
import { search } from "../../src/core/search/search.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { makeEntry, openIndex, plainTask, rowsOf, textOf } from "../fixtures/entries.ts";

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

const boostOf = (
  folder: string,
  filename: string,
  heading: string | null = null,
  status: string | null = null,
) =>
  documentBoost({ folder, filename, status, task: status === null ? null : plainTask }) *
  headingBoost(heading);

const folders: Record<string, number> = {
  tasks: 2,
  plans: 1.8,
  sessions: 1.5,
  changelog: 1.2,
  reports: 1,
  references: 0.8,
  scratch: 0.5,
  assets: 0.3,
  "": 1,
  notes: 1,
  constructor: 1,
  toString: 1,
};

test("a document has the boost of its folder, whatever its name", () => {
  for (const [folder, boost] of Object.entries(folders)) assert.equal(boostOf(folder, "a.md"), boost, folder);
  assert.equal(boostOf("__proto__", "a.md"), 1);
});

test("a project's status.md has the highest boost, any other status.md that of its folder", () => {
  assert.equal(boostOf("", "status.md"), 3);
  assert.equal(boostOf("references", "status.md"), 0.8);
  assert.equal(boostOf("assets", "deep/status.md"), 0.3);
});

const headings: Record<string, number> = {
  "## Current Status": 2.5,
  "## Next Steps": 2.5,
  "## Objective": 1.5,
  "## Acceptance Criteria": 1.5,
  "## Notes": 1,
  "# Task: Login": 1,
  "## current status": 2.5,
  "## 🚧 Blockers": 2.5,
  "## Key Decisions": 2.5,
  "## Nextcloud": 1,
  "##": 1,
  "## Estado actual": 2.5,
  "## Próximos pasos": 2.5,
  "## Bloqueado por": 2.5,
  "## 現在の状況": 2.5,
  "## ﾌﾞﾛｯｶｰ": 2.5,
  "## constructor": 1,
};

test("a heading is boosted for the words it contains, in every language, case and form", () => {
  for (const [heading, boost] of Object.entries(headings))
    assert.equal(boostOf("", "a.md", heading), boost, heading);
  assert.equal(boostOf("", "a.md", null), 1);
});

const statuses: Record<string, number> = {
  "in-progress": 2,
  review: 1.5,
  blocked: 1.8,
  pending: 1.2,
  done: 0.6,
  cancelled: 0.6,
  waiting: 1,
  "": 1,
  constructor: 1,
};

test("the status of a task boosts it, an unknown one does not", () => {
  for (const [status, boost] of Object.entries(statuses))
    assert.equal(boostOf("", "a.md", null, status), boost, status);
  assert.equal(boostOf("", "a.md", null, null), 1);
});

test("the boosts multiply: the example of the schema gives 6 before recency", () => {
  assert.equal(boostOf("tasks", "007-implementar-indexador.md", "## Objective", "in-progress"), 2 * 1.5 * 2);
});

/** Boost by age in days, on both sides of each limit. */
const ages: [days: number, boost: number][] = [
  ...([
    [-400, 2],
    [-1, 2],
    [0, 2],
    [1, 2],
    [2, 1.5],
    [7, 1.5],
    [8, 1.2],
    [30, 1.2],
  ] as [number, number][]),
  ...([
    [31, 1],
    [90, 1],
    [91, 0.8],
    [365, 0.8],
    [20_000, 0.8],
  ] as [number, number][]),
];

test("a document has the boost of its age", () => {
  for (const [age, boost] of ages) assert.equal(recencyBoost(age), boost, String(age));
});

const NOW = Date.parse("2026-06-15T12:00:00Z");
const dayBefore = (days: number) => new Date(NOW - days * 86_400_000).toISOString().slice(0, 10);

test("a search takes the age from `updated`, or else from the file's mtime", () => {
  const entries = ages.flatMap(([age], at) => [
    makeEntry(`p/notes/u${at}.md`, "quagga", { updated: dayBefore(age) }),
    makeEntry(`p/notes/m${at}.md`, "quagga", { mtime: NOW - age * 86_400_000 }),
  ]);
  const found = search(openIndex(engine, entries), {
    query: "quagga",
    filter: {},
    textOf,
    limit: 100,
    now: NOW,
    damping: 1,
  });
  const scores = new Map(found.results.map(({ filename, score }) => [filename, score]));
  const unit = scores.get(`u${ages.findIndex(([age]) => age === 90)}.md`) ?? Number.NaN;
  for (const [at, [age, boost]] of ages.entries()) {
    for (const name of [`u${at}.md`, `m${at}.md`]) {
      assert.ok(Math.abs((scores.get(name) ?? Number.NaN) / unit - boost) < 1e-9, `${name}: ${age} days`);
    }
  }
});

test("the day of `updated` is found with any ISO time and zone", () => {
  const dates = ["2026-06-15T10:00+09", "2026-06-15T10:00:00 +0900", "2026-06-15 10:00", "2026-06-15t10:00z"];
  const entries = dates.map((updated, at) => makeEntry(`p/notes/${at}.md`, "quagga", { updated }));
  const days = rowsOf(openIndex(engine, entries), "SELECT DISTINCT day FROM chunks");
  assert.deepEqual(days, [[dayOf(NOW)]]);
});

test("a day begins at midnight UTC", () => {
  assert.equal(dayOf(0), 0);
  assert.equal(dayOf(86_399_999), 0);
  assert.equal(dayOf(86_400_000), 1);
  assert.equal(dayOf(-1), -1);
});
