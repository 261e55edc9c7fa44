import assert from "node:assert/strict";
import test from "node:test";
import { findHeadings } from "../../../src/core/markdown/headings.ts";
import { findNamedSection, SECTION_NAMES } from "../../../src/core/notes/words/section-names.ts";

const objective = (text: string) =>
  findNamedSection({ text, headings: findHeadings(text) }, SECTION_NAMES.objective);

test("every name is written the way headings are compared", () => {
  for (const name of Object.values(SECTION_NAMES).flat()) {
    const text = `## ${name.toUpperCase()}\na`;
    assert.ok(findNamedSection({ text, headings: findHeadings(text) }, [name]), name);
  }
});

test("a named section is found in any of its languages, with decoration or without", () => {
  for (const heading of [
    "## Objective",
    "# objetivo",
    "### 目的",
    "## **Objective:**",
    "## 🎯 Objective",
    "Objective\n---",
  ]) {
    const text = `intro\n\n${heading}\nbody\n`;
    const section = objective(text);
    assert.equal(section && text.slice(section.bodyStart, section.end), "body\n", heading);
  }
});

test("a longer heading is another section", () => {
  assert.equal(objective("## Objectives of others\na"), null);
});

test("a heading that is longer than any name is none", () => {
  assert.equal(objective(`## Objective${" (so to say)".repeat(8)}\nbody\n`), null);
});
