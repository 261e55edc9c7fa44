import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findStatusLine, normalizeStatus } from "../../../src/core/notes/task/status.ts";
import { isTaskStatus, TASK_STATUSES } from "../../../src/core/notes/task/statuses.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { anyText } from "../../fixtures/texts.ts";

const MEANINGS: Record<string, string[]> = {
  pending: [
    "pending",
    "Pending",
    "todo",
    "TODO",
    "to do",
    "To-Do",
    "open",
    "pendiente",
    "未着手",
    "`pending`",
  ],
  "in-progress": [
    "in-progress",
    "in_progress",
    "In Progress",
    "IN  PROGRESS",
    "wip",
    "WIP",
    "doing",
    "en progreso",
    "En curso",
    "進行中",
    "**in-progress**",
    "🚧 wip",
  ],
  review: ["review", "In Review", "needs-review", "En revisión", "レビュー", "👀 ready for review"],
  done: [
    "done",
    "Completed",
    "complete",
    "finished",
    "closed",
    "hecho",
    "Hecha",
    "completado",
    "terminado",
    "完了",
    "**done**",
    "✅ done",
    "done ✅",
    "done.",
    "ｄｏｎｅ",
    "done (2025-02-09)",
    "完了（昨日）",
  ],
  blocked: [
    "blocked",
    "on hold",
    "On-Hold",
    "waiting",
    "bloqueado",
    "Bloqueada",
    "保留",
    "blocked!",
    "⛔ blocked",
  ],
  cancelled: [
    "cancelled",
    "Canceled",
    "Won't Do",
    "won’t fix",
    "WONTFIX",
    "Not planned",
    "dropped (2025-02-09)",
    "❌ rejected",
    "cancelada",
    "no se hará",
    "中止",
  ],
};

for (const [status, texts] of Object.entries(MEANINGS)) {
  for (const text of texts) {
    test(`'${text}' is read as ${status}`, () => assert.equal(normalizeStatus(text), status));
  }
}

test("an unknown status is kept as its trimmed text", () => {
  assert.equal(normalizeStatus("  On Fire "), "On Fire");
  assert.equal(normalizeStatus("pending | done"), "pending | done");
  assert.equal(normalizeStatus("(done)"), "(done)");
  assert.equal(normalizeStatus(""), "");
  for (const part of ["!", "()", "(", "a "]) {
    const text = `${part.repeat(500_000)}x`;
    assert.equal(normalizeStatus(text), text);
  }
});

test("reading a status twice changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) =>
      assert.equal(normalizeStatus(normalizeStatus(text)), normalizeStatus(text)),
    ),
  );
});

test("only the standard names are task statuses", () => {
  assert.deepEqual(TASK_STATUSES.filter(isTaskStatus), [...TASK_STATUSES]);
  assert.ok(!isTaskStatus("Done") && !isTaskStatus("wip") && !isTaskStatus("toString"));
});

const LINES: [name: string, text: string, value: string | null][] = [
  ["in its standard form", "# Task: A\n\nStatus: pending\n", "pending"],
  ["in other letter case", "STATUS: Done", "Done"],
  ["without a space", "status:done", "done"],
  ["with a bold label", "**Status:** wip", "wip"],
  ["with a bold label before the colon", "**Status**: wip", "wip"],
  ["all in bold", "**Status: wip**", "wip"],
  ["with a bold value", "Status: **wip**", "wip"],
  ["with a value in backticks", "Status: `wip`", "wip"],
  ["as a list item", "- Status: wip", "wip"],
  ["as a bold list item", "* **Status**: wip", "wip"],
  ["with a full-width colon", "Status：完了", "完了"],
  ["with CRLF", "Status: wip\r\nnext", "wip"],
  ["with several words and spaces after them", "Status:  In Progress  \n", "In Progress"],
  ["with a comment after it", "Status: pending <!-- pending | done -->", "pending"],
  ["inside a comment", "<!--\nStatus: done\n-->", "done"],
  ["after an empty one", "Status:\nStatus: done", "done"],
  ["after one in a fence", "```\nStatus: done\n```\nStatus: wip", "wip"],
  ["only in a fence", "```\nStatus: done\n```\n", null],
  ["with another word before it", "The Status: done", null],
  ["with a longer word", "Statuses: done", null],
  ["indented as code", "    Status: done", null],
  ["as a heading", "## Status: done", null],
  ["in another language", "Estado: hecho", "hecho"],
  ["without a value", "Status:   \n", null],
];

for (const [name, text, value] of LINES) {
  test(`a status line is ${value === null ? "not found" : "found"} ${name}`, () => {
    const found = findStatusLine(text, 0);
    assert.equal(found?.value ?? null, value);
    if (found) assert.equal(text.slice(found.valueStart, found.valueEnd), value);
  });
}

test("a status line before the offset is not found", () => {
  assert.equal(findStatusLine("status: done\nStatus: wip", 13)?.value, "wip");
});

test("replacing the value changes nothing else, and reads back as the new status", () => {
  const status = fc.constantFrom(...TASK_STATUSES);
  fc.assert(
    fc.property(anyText, anyText, status, (before, after, next) => {
      const text = `${before}\nStatus: old\n${after}`;
      const found = findStatusLine(text, 0);
      if (found === null) return;
      const written = text.slice(0, found.valueStart) + next + text.slice(found.valueEnd);
      assert.equal(found.value, text.slice(found.valueStart, found.valueEnd));
      assert.deepEqual(findStatusLine(written, 0), {
        value: next,
        valueStart: found.valueStart,
        valueEnd: found.valueStart + next.length,
      });
    }),
    { numRuns: numRuns(1000) },
  );
});

test("no status is found in millions of characters without one", () => {
  assert.equal(findStatusLine(`Status:${" ".repeat(5_000_000)}`, 0), null);
  assert.equal(findStatusLine(`Status: ${"*".repeat(5_000_000)}`, 0), null);
  assert.equal(findStatusLine("Status:\n".repeat(100_000), 0), null);
});
