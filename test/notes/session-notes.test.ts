import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSessionNotes } from "../../src/notes/session-notes.ts";

const empty = { done: "", blocked: "", next: "", other: "" };

test("headings of all three languages are recognised, whatever is around them", () => {
  const cases: [keyof typeof empty, string[]][] = [
    [
      "done",
      ["## Done", "# Done", "### ✅ Done:", "## What I did", "## Lo que hice", "## やったこと", "Done\n----"],
    ],
    [
      "blocked",
      ["## Blocked by", "## **Blockers**", "## Bloqueado por", "## Bloqueos", "## ブロックされていること"],
    ],
    ["next", ["## Next", "## Next steps (tomorrow)", "## Próximo", "## PROXIMOS PASOS", "## 次にやること"]],
  ];
  for (const [part, headings] of cases) {
    for (const heading of headings) {
      assert.deepEqual(parseSessionNotes(`${heading}\n\n- x\n`, 0), { ...empty, [part]: "- x" }, heading);
    }
  }
});

test("a section keeps its subsections and ends at the next heading", () => {
  const text = "# Session Log - 2025-02-09\n\n## Done\n- a\n### Details\nb\n## Other\nc\n";
  assert.deepEqual(parseSessionNotes(text, 0), {
    ...empty,
    done: "- a\n### Details\nb",
    other: "## Other\nc",
  });
});

test("later notes of the day add to the same sections", () => {
  const text =
    "## Done\n- a\n\n---\n**14:30:15**\n\nfree words\n\n## Next\n- b\n\n---\n**15:00:00**\n\n## Done\n- c\n";
  assert.deepEqual(parseSessionNotes(text, 0), {
    ...empty,
    done: "- a\n\n- c",
    next: "- b",
    other: "free words",
  });
});

test("labels count as headings, code does not", () => {
  assert.deepEqual(parseSessionNotes("**Done:** a\n- Próximo: b\n**Blocked by:**\nc\n", 0), {
    ...empty,
    done: "- a",
    next: "- b",
    blocked: "c",
  });
  const fenced = "```\n## Done\nNext: x\n```";
  assert.deepEqual(parseSessionNotes(fenced, 0), { ...empty, other: fenced });
  assert.deepEqual(parseSessionNotes("", 0), empty);
});
