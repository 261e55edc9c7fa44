import assert from "node:assert/strict";
import { test } from "node:test";
import { gatherEvidence } from "../../scripts/quality/evidence.ts";
import { IDENTIFIER_KINDS } from "../../scripts/quality/material.ts";
import { OWN_NOW, withOwnSet } from "../../scripts/quality/own.ts";
import { withWorkspace } from "../../scripts/quality/run.ts";

const TEXT =
  "getUserProfile and user_profile_id in v1.0.21 of task 004, not file.name, GET, snake or 7; `DevTools` 2.5";

test("identifiers are distinguished from words", () => {
  const found = IDENTIFIER_KINDS.map(({ name, pattern }) => [name, TEXT.match(pattern)]);
  assert.deepEqual(found, [
    ["camelCase", ["getUserProfile", "DevTools"]],
    ["snake_case", ["user_profile_id"]],
    ["number", ["004"]],
    ["version", ["v1.0.21", "2.5"]],
  ]);
});

test("an identifier is variants for in the other ways of writing it", () => {
  const variants = (kind: string, identifier: string) =>
    IDENTIFIER_KINDS.find(({ name }) => name === kind)?.variants.map(({ form }) => form(identifier));
  assert.deepEqual(variants("camelCase", "getUserProfile"), [
    "getUserProfile",
    "get user profile",
    "get_user_profile",
  ]);
  assert.deepEqual(variants("snake_case", "MAX_BASKET_ITEMS"), [
    "MAX_BASKET_ITEMS",
    "max basket items",
    "maxBasketItems",
  ]);
});

test("what the documents are called, and pairs of characters in them, are found", async () => {
  const rows = await withOwnSet((root) =>
    withWorkspace({ root, boost: undefined, now: OWN_NOW }, (workspace) =>
      gatherEvidence(workspace, { seed: 1, sample: 25 }),
    ),
  );
  const variants = rows.filter(({ questions }) => questions > 0);
  assert.ok(variants.length >= 12);
  for (const { name, reached, target, misses } of variants)
    assert.ok(reached >= target, `${name}: ${reached}, short of ${target}: ${misses.join("; ")}`);
});
