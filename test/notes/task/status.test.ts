import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../../src/core/markdown/frontmatter.ts";
import { describeDocument } from "../../../src/core/notes/document.ts";
import { keysFor } from "../../../src/core/notes/field-names.ts";
import { setTaskStatus } from "../../../src/core/notes/task/status.ts";
import { findStatusLine } from "../../../src/core/notes/task/status-line.ts";
import { normalizeStatus } from "../../../src/core/notes/task/status-word.ts";
import { isTaskStatus, TASK_STATUSES } from "../../../src/core/notes/task/statuses.ts";
import { lengthOf, numRuns } from "../../fixtures/num-runs.ts";
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
  ["as a heading", "## Status: done", "done"],
  ["under a heading", "# A\n\n## Status\n\n- **In Progress**\n\n## Notes\n", "In Progress"],
  ["under a heading in another language", "## Statut\nBloqué\n", "Bloqué"],
  ["under a heading, in words that are none", "## Status\n\nDone by ana, mostly.\n", null],
  ["under a heading of a part", "## Part\n### Status\ndone\n", null],
  ["behind State", "**State:** ✅ Done", "✅ Done"],
  ["behind State, in words that are none", "State: the reducer has it", null],
  ["behind another word for a state", "Situação: em andamento", "em andamento"],
  ["in Chinese", "状态：已完成", "已完成"],
  ["in a row of a table", "# A\n\n| Owner | ana |\n|---|---|\n| **Status** | `wip` |\n", "wip"],
  ["in the head of a table", "| Status | done |\n|---|---|\n", "done"],
  ["in a column of one row", "| Owner | Status |\n|---|---|\n| ana | Done |\n\ntext\n", "Done"],
  ["in a column of several rows", "| Step | Status |\n|---|---|\n| a | done |\n| b | wip |\n", null],
  ["in a table of a section", "## Steps\n| Status | done |\n|---|---|\n", null],
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
  assert.equal(findStatusLine(`Status:${" ".repeat(lengthOf(5_000_000))}`, 0), null);
  assert.equal(findStatusLine(`Status: ${"*".repeat(lengthOf(5_000_000))}`, 0), null);
  assert.equal(findStatusLine("Status:\n".repeat(lengthOf(100_000)), 0), null);
});

const BOM = "\uFEFF";

const EDITS: [name: string, text: string, expected: string][] = [
  ["the value of the status line", "# Task: A\n\nStatus: pending\n\nx", "# Task: A\n\nStatus: done\n\nx"],
  ["the value inside emphasis", "**Status:** `In Progress`  \r\n", "**Status:** `done`  \r\n"],
  ["the value before a comment", "Status: wip <!-- a | b -->", "Status: done <!-- a | b -->"],
  ["only the first status line", "Status: a\nStatus: b\n", "Status: done\nStatus: b\n"],
  ["no line in a fence", "```\nStatus: a\n```\nStatus: b\n", "```\nStatus: a\n```\nStatus: done\n"],
  ["frontmatter alone", "---\nstatus: wip # c\n---\n# A\n", "---\nstatus: done # c\n---\n# A\n"],
  ["both", "---\nstatus: a\n---\nStatus: b\n", "---\nstatus: done\n---\nStatus: done\n"],
  ["an empty field of frontmatter", "---\nstatus:\n---\n# A\n", "---\nstatus: done\n---\n# A\n"],
  ["no other field", "---\nowner: a\n---\nStatus: b\n", "---\nowner: a\n---\nStatus: done\n"],
  [
    "no text between two rules",
    "---\n# A\n\n- [ ] a\n---\nb\n",
    "Status: done\n\n---\n# A\n\n- [ ] a\n---\nb\n",
  ],
  ["a status line in a malformed block", "---\nstatus: a\nb: [\n---\n", "---\nstatus: done\nb: [\n---\n"],
];

/** What other programs keep behind a value, a block id last. */
const TAILS = ["^a-1", "%% x, y %%", "[k:: v, w]", "(k:: v)", "#api/v2", "📅 2026-12-01", "%% x %% #a ^b"];
for (const tail of TAILS)
  EDITS.push(
    [`what stands before ${tail}`, `Status: wip ${tail}\n`, `Status: done ${tail}\n`],
    [
      `what stands in emphasis before ${tail}`,
      `- **Status:** **wip** ${tail}`,
      `- **Status:** **done** ${tail}`,
    ],
    [`nothing before ${tail}`, `Status:: ${tail}\n`, `Status:: done ${tail}\n`],
  );

EDITS.push(
  ["the word under a heading", "# A\n\n## Status\n\n**WIP**\n", "# A\n\n## Status\n\n**done**\n"],
  ["the cell of a table", "| Status | WIP |\n|---|---|\n", "| Status | done |\n|---|---|\n"],
  ["an empty line", "# A\n\nStatus:\n\nx", "# A\n\nStatus: done\n\nx"],
  ["an empty line that ends the text", "Status:", "Status: done"],
  ["an empty line with a space and CRLF", "Status: \r\nx", "Status: done\r\nx"],
  ["an empty line in emphasis", "- **Status:**\n", "- **Status:** done\n"],
  ["an empty line before a comment", "Status: <!-- a -->\n", "Status: done <!-- a -->\n"],
  ["an empty line right before a comment", "Status:<!-- a -->\n", "Status: done <!-- a -->\n"],
  ["the line with a value before an empty one", "Status:\nStatus: wip\n", "Status:\nStatus: done\n"],
  ["no empty line in a fence", "# A\n```\nStatus:\n```\n", "# A\n\nStatus: done\n\n```\nStatus:\n```\n"],
);

for (const [name, text, expected] of EDITS) {
  test(`a new status changes ${name}`, () => assert.equal(setTaskStatus(text, "done"), expected));
}

const NEW_LINES: [name: string, text: string, expected: string][] = [
  ["under the title", "# Task: A\n\n## Objective\n", "# Task: A\n\nStatus: done\n\n## Objective\n"],
  ["between title and text", "# Task: A\ntext\n", "# Task: A\n\nStatus: done\n\ntext\n"],
  ["under a title that ends the text", "# Task: A", "# Task: A\n\nStatus: done\n"],
  ["under an underlined title", "A\n===\n\ntext\n", "A\n===\n\nStatus: done\n\ntext\n"],
  ["under the title of the task", "# Log\n\n# Task: A\n", "# Log\n\n# Task: A\n\nStatus: done\n"],
  ["with CRLF", "# Task: A\r\n\r\ntext\r\n", "# Task: A\r\n\r\nStatus: done\r\n\r\ntext\r\n"],
  ["before the text without a title", "## Objective\n", "Status: done\n\n## Objective\n"],
  ["before blank lines", "\n\ntext\n", "Status: done\n\n\ntext\n"],
  ["under frontmatter", "---\na: 1\n---\ntext\n", "---\na: 1\n---\nStatus: done\n\ntext\n"],
  ["under frontmatter that ends the text", "---\na: 1\n---", "---\na: 1\n---\nStatus: done\n"],
  ["after a byte order mark", `${BOM}text\n`, `${BOM}Status: done\n\ntext\n`],
  ["in an empty text", "", "Status: done\n"],
  ["outside a fence", "```\n# A\nStatus: b\n```\n", "Status: done\n\n```\n# A\nStatus: b\n```\n"],
];

for (const [name, text, expected] of NEW_LINES) {
  test(`a task without a status gets a line ${name}`, () =>
    assert.equal(setTaskStatus(text, "done"), expected));
}

const currentStatus = (text: string) =>
  describeDocument({ project: "p", folder: "tasks", filename: "001-a.md" }, text).status;

test("the current status is that of frontmatter, else of the first status line, as a standard one", () => {
  assert.equal(currentStatus("---\nstatus: WIP\n---\nStatus: done\n"), "in-progress");
  assert.equal(currentStatus("---\nstatus: [a, b]\n---\nStatus: Completed\n"), "done");
  assert.equal(currentStatus("# Task: A\n"), null);
});

const anyTask = fc.oneof(
  anyText,
  fc
    .tuple(fc.constantFrom("status: wip", "status:", "a: 1", "status: [", "x: &a y\nstatus: *a"), anyText)
    .map(([yaml, body]) => `---\n${yaml}\n---\n${body}`),
);

test("a status that was set is read back, and set twice changes nothing", () => {
  fc.assert(
    fc.property(anyTask, fc.constantFrom(...TASK_STATUSES), (text, status) => {
      const edited = setTaskStatus(text, status);
      assert.equal(currentStatus(edited), status);
      // If the new value fixes a malformed block, its status wins the next time.
      if (parseFrontmatter(text).problem === null) assert.equal(setTaskStatus(edited, status), edited);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("nothing but the value changes, or one line with its blank lines is added", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { bodyOffset, data } = parseFrontmatter(text);
      fc.pre(keysFor(data, "status").length === 0);
      const line = findStatusLine(text, bodyOffset);
      const edited = setTaskStatus(text, "blocked");
      if (line !== null) {
        assert.equal(edited, `${text.slice(0, line.valueStart)}blocked${text.slice(line.valueEnd)}`);
        return;
      }
      const added = findStatusLine(edited, bodyOffset);
      assert.ok(added);
      const head = edited.slice(0, added.valueStart - "Status: ".length);
      const tail = edited.slice(added.valueEnd);
      assert.equal((head + tail).replace(/\s/g, ""), text.replace(/\s/g, ""));
      assert.match(head, /(?:^|[\n\uFEFF])$/);
      assert.match(tail, /^\r?\n(?:$|[ \t]*\r?\n)/);
    }),
    { numRuns: numRuns(1000) },
  );
});
