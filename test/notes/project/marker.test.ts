import assert from "node:assert/strict";
import { test } from "node:test";
import { findProjectMarker } from "../../../src/core/notes/project/marker.ts";
import { growth, PROPORTIONATE } from "../../fixtures/growth.ts";

test("the time to find a link grows with the text, also where a line is nothing but spaces", () => {
  const line = (length: number) => `vibe: a${" ".repeat(length)}b\nvibe: c\n`;
  assert.ok(growth(line, findProjectMarker, 20_000) < PROPORTIONATE);
  assert.equal(findProjectMarker(line(20_000))?.name, "c");
});

test("the line is found in any notation, but not in code", () => {
  for (const line of [
    "vibe: a b",
    "- vibe: a b",
    "**vibe:** `a b`",
    "<!-- vibe: a b -->",
    "Vibe:  a b  ",
    "> vibe: a b",
  ])
    assert.equal(findProjectMarker(`x\n${line}\ny`)?.name, "a b", line);
  for (const text of ["", "vibe:", "vibes: a", "the vibe: a", "```\nvibe: a\n```", "    vibe: a"])
    assert.equal(findProjectMarker(text), null, text);
});
