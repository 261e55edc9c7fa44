import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSessionNotes } from "../../../src/core/notes/session/notes.ts";

const empty = { asked: "", claimed: "", done: "", blocked: "", next: "", other: "" };

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

test("a label after a sentence begins its part, in all three languages", () => {
  const cases: [text: string, notes: object][] = [
    ["Rotated the keys. Next: the audit log.", { other: "Rotated the keys.", next: "- the audit log." }],
    ["Roté las claves. **Próximo:** el registro.", { other: "Roté las claves.", next: "- el registro." }],
    ["鍵を更新した。次のステップ：監査ログ。", { other: "鍵を更新した。", next: "- 監査ログ。" }],
    [
      "- Done: the keys! Blocked by: ops? Next: a. b.",
      { done: "- the keys!", blocked: "- ops?", next: "- a. b." },
    ],
    ["## Next\nThe log.  Done: the keys.", { next: "The log.", done: "- the keys." }],
  ];
  for (const [text, notes] of cases)
    assert.deepEqual(parseSessionNotes(text, 0), { ...empty, ...notes }, text);
  for (const text of [
    "We say what is next: a log.",
    "The keys.Next: a log.",
    "```\nKeys. Next: a log.\n```",
    "次に進む：監査ログ。",
  ])
    assert.deepEqual(parseSessionNotes(text, 0), { ...empty, other: text }, text);
});

test("a long line is read in time in proportion to its length", () => {
  const notes = parseSessionNotes(`${"A. Next: b. See: c. ".repeat(20_000)}`, 0);
  assert.equal(notes.next.split("\n").length, 20_000);
});
