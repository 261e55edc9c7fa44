import assert from "node:assert/strict";
import { test } from "node:test";
import { complete } from "../../src/lib/completion.ts";

test("what goes on from the typed text comes before what holds it", () => {
  assert.deepEqual(complete(["b-árbol", "Arbol", "c"], "ARB"), {
    values: ["Arbol", "b-árbol"],
    total: 2,
    hasMore: false,
  });
  assert.deepEqual(complete(["b", "a"], " ").values, ["b", "a"]);
});
