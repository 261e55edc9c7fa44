import assert from "node:assert/strict";
import { test } from "node:test";
import { idInName, idsOf } from "../../../src/core/notes/task/ids.ts";

test("the start of a file's name is an id if letters and a number are followed by a title", () => {
  for (const [name, id] of [
    ["SHOP-7-refund.md", "SHOP-7"],
    ["tasks/back-13.1 - Part.md", "back-13.1"],
    ["ÑU_12_año.md", "ÑU_12"],
    ["FT-4564.md", undefined],
    ["003-setup.md", undefined],
    ["add-login.md", undefined],
    ["add-login-2-x.md", undefined],
  ] as const)
    assert.equal(idInName(name), id, name);
});

test("an id stands in the frontmatter, or behind the program that a task came from", () => {
  for (const [data, ids] of [
    [{ id: "BACK-12" }, ["BACK-12"]],
    [{ imported: "beads bd-a1b.2" }, ["bd-a1b.2"]],
    [{ id: "bd-a1b", imported: "beads bd-a1b" }, ["bd-a1b"]],
    [{ imported: "taskmaster 12" }, []],
    [{ id: 12 }, []],
    [{ id: "two words" }, []],
    [{ id: ["BACK-12"], imported: "backlog" }, []],
  ] as const)
    assert.deepEqual(idsOf(data), ids, JSON.stringify(data));
});
