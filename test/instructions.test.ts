import assert from "node:assert/strict";
import { test } from "node:test";
import { type Guide, instructions } from "../src/instructions.ts";

const GUIDE: Guide = { find: "Find.", write: "Write.", create: "make_it", list: "list_them" };

test("projects are named, or the way to make or list them", () => {
  const last = (projects: string[] | undefined) =>
    instructions({ projects, likely: undefined, readOnly: false }, GUIDE).split("\n").at(-1);
  assert.equal(last(["a", "b"]), "Projects: a, b.");
  assert.equal(last([]), "There is no project yet: make_it creates one.");
  assert.equal(last(undefined), "The projects: list_them.");
});
