import assert from "node:assert/strict";
import { test } from "node:test";
import { listDecisions, withoutDecisions } from "../../../src/core/notes/project/decisions.ts";
import { growth, PROPORTIONATE } from "../../fixtures/growth.ts";

const TODAY = "2030-01-01";
const texts = (text: string) => listDecisions(text, TODAY).map((decision) => decision.text.trimEnd());

test("decisions are found under their headings in any language, and the rest stays without them", () => {
  for (const heading of [
    "## Decisions",
    "# DECISIONES",
    "### 決定事項",
    "## Beschlüsse",
    "## Décisions prises",
    "## Decisões",
    "## 决定",
    "## Key decisions:",
    "## Decisión",
  ]) {
    const text = `intro\n\n${heading}\n\n- x\n`;
    assert.deepEqual(texts(text), ["- x"], heading);
    assert.equal(withoutDecisions(text), "intro\n\n", heading);
  }
  assert.deepEqual(texts("## Decided\n- x\n"), []);
});

test("several sections are read in order, a nested one once", () => {
  const text = "## Decisions\n- a\n### Decisions\n- b\n## Other\nc\n## Decisions\n- d\n";
  assert.deepEqual(texts(text), ["- a", "### Decisions\n- b", "- d"]);
  assert.equal(withoutDecisions(text), "## Other\nc\n");
});

/** Under Decisions, and what each says with its day, oldest first. */
const ORDERED: [body: string, decisions: [day: string, text: string][]][] = [
  [
    "- a\n  more\n- b\n",
    [
      [TODAY, "- a\n  more"],
      [TODAY, "- b"],
    ],
  ],
  [
    "- 2026-01-02: a\n- b\n- 2026-01-05: c\n",
    [
      ["2026-01-02", "- 2026-01-02: a"],
      ["2026-01-02", "- b"],
      ["2026-01-05", "- 2026-01-05: c"],
    ],
  ],
  [
    "- **2026-01-05** c\n- b\n- a (2026-01-02)\n",
    [
      ["2026-01-02", "- a (2026-01-02)"],
      ["2026-01-02", "- b"],
      ["2026-01-05", "- **2026-01-05** c"],
    ],
  ],
  [
    "- a\n- 5 de enero de 2026: b\n",
    [
      ["2026-01-05", "- a"],
      ["2026-01-05", "- 5 de enero de 2026: b"],
    ],
  ],
  ["- 2026年1月5日：あ\n", [["2026-01-05", "- 2026年1月5日：あ"]]],
  ["- We launch in the spring, on 2026-05-01\n", [[TODAY, "- We launch in the spring, on 2026-05-01"]]],
  [
    "### Why\n2026-01-02. Since.\n\n- or so\n\n### How\nSo.\n",
    [
      ["2026-01-02", "### Why\n2026-01-02. Since.\n\n- or so"],
      ["2026-01-02", "### How\nSo."],
    ],
  ],
  [
    "### Money\n- a\n- b\n",
    [
      [TODAY, "### Money\n- a"],
      [TODAY, "- b"],
    ],
  ],
  [
    "We do.\nAnd so.\n\nThen that.\n",
    [
      [TODAY, "We do.\nAnd so."],
      [TODAY, "Then that."],
    ],
  ],
  [
    "| day | what |\n|---|---|\n| 2026-01-05 | b |\n| 2026-01-02 | a |\n",
    [
      ["2026-01-02", "| 2026-01-02 | a |"],
      ["2026-01-05", "| 2026-01-05 | b |"],
      ["2026-01-05", "| day | what |\n|---|---|"],
    ],
  ],
];
test("decisions stand oldest first, each with its day or that of an older neighbour", () => {
  for (const [body, decisions] of ORDERED) {
    const read = listDecisions(`## Decisions\n\n${body}`, TODAY);
    assert.deepEqual(
      read.map(({ day, text }) => [day, text.trimEnd()]),
      decisions,
      body,
    );
  }
});

test("the time to find them grows with the text", () => {
  const make = (length: number) => `# a\n${"## Decisions\n- x\n".repeat(length / 17)}`;
  assert.ok(growth(make, (text) => listDecisions(text, TODAY), 300_000) < PROPORTIONATE);
});
