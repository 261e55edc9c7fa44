import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { readMetadata } from "../../src/core/notes/document.ts";

const NOTHING = { title: null, type: null, status: null, updated: null, tags: [], owner: null };

test("known fields are read, others are not", () => {
  const data = {
    title: " A ",
    type: "plan",
    status: "Done",
    updated: "2025-02-09",
    tags: ["a"],
    owner: "max",
    other: 1,
  };
  assert.deepEqual(readMetadata(data), {
    title: "A",
    type: "plan",
    status: "done",
    updated: "2025-02-09",
    tags: ["a"],
    owner: "max",
  });
  assert.deepEqual(readMetadata({}), NOTHING);
});

test("lists and mappings where text is expected are ignored", () => {
  for (const value of [["a", "b"], { a: 1 }, null, true, "", "  ", undefined]) {
    const data = { title: value, type: value, status: value, updated: value, owner: { name: value } };
    assert.deepEqual(readMetadata(data), NOTHING);
  }
});

const TAGS: [name: string, value: unknown, tags: string[]][] = [
  ["a list", ["Backend", " mcp "], ["backend", "mcp"]],
  ["one string", "Backend", ["backend"]],
  ["a string with commas", "Backend, MCP,, ", ["backend", "mcp"]],
  ["a string of tags with their marks", "#Api #web,#x", ["api", "web", "x"]],
  ["a string with a mark inside", "c #5", ["c #5"]],
  ["repeated items", ["a", "A", "b"], ["a", "b"]],
  ["numbers and booleans", [2025, true, 1.5], ["2025", "true", "1.5"]],
  ["one number", 2025, ["2025"]],
  ["items with the mark of a tag", ["#api", "a/B", "#"], ["api", "a/b", "#"]],
  ["items of other kinds", ["a", null, ["b"], { c: 1 }, ""], ["a", "b"]],
  ["a mapping", { a: 1 }, []],
  ["nothing", undefined, []],
];

for (const [name, value, tags] of TAGS) {
  test(`tags are read from ${name}`, () => assert.deepEqual(readMetadata({ tags: value }).tags, tags));
}

test("an owner may be a number", () => {
  assert.equal(readMetadata({ owner: 42 }).owner, "42");
});

test("several owners are one text", () => {
  assert.equal(readMetadata({ owner: ["ana", 7, null, " luis "] }).owner, "ana, 7, luis");
  assert.equal(readMetadata({ owner: [[], {}] }).owner, null);
});

test("updated is kept as written when it is a real date, else it is absent", () => {
  for (const updated of ["2025-02-09", "2025-02-09T14:30:00Z"])
    assert.equal(readMetadata({ updated }).updated, updated);
  for (const updated of ["2025-02-30", "yesterday", "2025", "01/02/2025", Number.NaN]) {
    assert.equal(readMetadata({ updated }).updated, null);
  }
});

const DAYS: unknown[] = [
  "Mar 4 2025",
  "2025/3/4",
  "4 de marzo de 2025",
  20250304,
  1741082400000,
  1741082400,
  "1741082400000",
  { date: "2025-03-04" },
  ["2025-03-04"],
];

for (const updated of DAYS)
  test(`updated as ${JSON.stringify(updated)} is the day that programs mean by it`, () => {
    assert.equal(readMetadata({ updated }).updated?.slice(0, 10), "2025-03-04");
  });

test("no data makes it throw", () => {
  const fields = fc.record({
    title: fc.anything(),
    status: fc.anything(),
    updated: fc.anything(),
    tags: fc.anything(),
    owner: fc.anything(),
  });
  fc.assert(
    fc.property(fields, (data) => {
      const { tags, owner } = readMetadata(data);
      assert.ok(tags.every((tag) => tag !== "" && tag === tag.toLowerCase()));
      assert.ok(owner === null || typeof owner === "string");
    }),
  );
});
