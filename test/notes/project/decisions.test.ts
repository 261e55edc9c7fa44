import assert from "node:assert/strict";
import { test } from "node:test";
import { findDecisions } from "../../../src/core/notes/project/decisions.ts";
import { growth, PROPORTIONATE } from "../../fixtures/growth.ts";

test("decisions are found under their headings in three languages", () => {
  for (const heading of [
    "## Decisions",
    "# DECISIONES",
    "### 決定事項",
    "## Key decisions:",
    "## Decisión",
  ]) {
    assert.equal(findDecisions(`intro\n\n${heading}\n\n- x\n`, 0), "- x", heading);
  }
  assert.equal(findDecisions("## Decided\n- x\n", 0), "");
});

test("several sections are joined, a nested one counts once", () => {
  const text = "## Decisions\n- a\n### Decisions\n- b\n## Other\nc\n## Decisions\n- d\n";
  assert.equal(findDecisions(text, 0), "- a\n### Decisions\n- b\n\n- d");
});

test("what was noted later that day is not part of it", () => {
  assert.equal(findDecisions("## Decisions\n- a\n\n---\n**14:30:15**\n\nlater\n", 0), "- a");
});

test("the time to find them grows with the text", () => {
  const make = (length: number) => `# a\n${"## Decisions\n- x\n".repeat(length / 17)}`;
  assert.ok(growth(make, (text) => findDecisions(text, 0), 300_000) < PROPORTIONATE);
});
