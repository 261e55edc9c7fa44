import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../../src/core/markdown/frontmatter.ts";
import { describeDocument } from "../../../src/core/notes/document.ts";
import { tagsOfBody } from "../../../src/core/notes/tags.ts";
import { changeTask, type TaskChanges } from "../../../src/core/notes/task/edit.ts";
import { setTaskStatus } from "../../../src/core/notes/task/status.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { anyText } from "../../fixtures/texts.ts";

const AT = { project: "p", folder: "tasks", filename: "001-a.md" };
const body = (lines: string) => `# Task: A\n\nStatus: pending\n${lines}\n\n## Steps\n1. [ ] a\n`;

function read(text: string) {
  const { owner, tags, task, unread } = describeDocument(AT, text);
  const { priority, due } = task ?? {};
  return { ...(priority && { priority }), ...(due && { due }), ...(owner && { owner }), tags, unread };
}

/** Each with what it says, a change, and the line then. */
const LINES: [line: string, says: object, change: TaskChanges, then: string][] = [
  ["Priority: high", { priority: "high" }, { priority: "low" }, "Priority: low"],
  ["- **Priority:** P1 ^id", { priority: "high" }, { priority: "low" }, "- **Priority:** low ^id"],
  ["**Prioridad**: **alta**", { priority: "high" }, { priority: "medium" }, "**Prioridad**: **medium**"],
  ["優先度：高", { priority: "high" }, { priority: "low" }, "優先度：low"],
  ["Due:: [[2026-12-01]]", { due: "2026-12-01" }, { due: "2027-01-02" }, "Due:: 2027-01-02"],
  ["due_date:: 2026-12-01", { due: "2026-12-01" }, { due: "2027-01-02" }, "due_date:: 2027-01-02"],
  ["Assigned to: Ana", { owner: "Ana" }, { owner: "eva" }, "Assigned to: eva"],
  ["Tags: API, web", { tags: ["api", "web"] }, { tags: ["a", "b"] }, "Tags: a, b"],
  ["Etiquetas: #api #web/ui", { tags: ["api", "web/ui"] }, { tags: ["a", "b"] }, "Etiquetas: #a, #b"],
  ["タグ: #api, #web ^id", { tags: ["api", "web"] }, { tags: ["a"] }, "タグ: #a ^id"],
];

for (const [line, says, change, then] of LINES)
  test(`${line} is read, and written back in its line`, () => {
    const text = body(line);
    assert.deepEqual(read(text), { tags: [], unread: [], ...says });
    assert.equal(changeTask(text, change).text, body(then));
    assert.equal(changeTask(text, says).text, text);
    const [name = ""] = Object.keys(change);
    assert.equal(changeTask(text, { [name]: null }).text, text.replace(`${line}\n`, ""));
    assert.equal(setTaskStatus(text, "done"), text.replace("pending", "done"));
  });

/** Several labels in one line, with what it says, a change, and the line then. */
const MORE_LINES: [line: string, says: object, change: TaskChanges, then: string][] = [
  [
    "Status: wip | Priority: high | Owner: ana",
    { status: "in-progress", priority: "high", owner: "ana" },
    { priority: null },
    "Status: wip | Owner: ana",
  ],
  [
    "**Status**: wip **Owner**: ana **Due**: 2026-12-01 ^id",
    { status: "in-progress", owner: "ana", due: "2026-12-01" },
    { due: null },
    "**Status**: wip **Owner**: ana ^id",
  ],
  [
    "- **Owner:** ana · **Status:** wip",
    { status: "in-progress", owner: "ana" },
    { owner: null },
    "- **Status:** wip",
  ],
  [
    "Priority: P1, due: 2026-12-01; tags: #api #ui",
    { priority: "high", due: "2026-12-01", tags: ["api", "ui"] },
    { tags: ["a", "b"] },
    "Priority: P1, due: 2026-12-01; tags: #a, #b",
  ],
  [
    "状態：完了、優先度：高",
    { status: "done", priority: "high" },
    { priority: "low" },
    "状態：完了、優先度：low",
  ],
  [
    "Status: wip | Effort: 3 | Owner: ana",
    { status: "in-progress", owner: "ana" },
    { owner: "eva" },
    "Status: wip | Effort: 3 | Owner: eva",
  ],
  [
    "Owner: ana, luis | Depends on: 002, 003 | Status: wip",
    { status: "in-progress", owner: "ana, luis", dependencies: ["002", "003"] },
    { dependencies: ["004"] },
    "Owner: ana, luis | Depends on: 004 | Status: wip",
  ],
  [
    "Status: waiting for owner: ana",
    { status: "waiting for owner: ana" },
    {},
    "Status: waiting for owner: ana",
  ],
];

for (const [line, says, change, then] of MORE_LINES)
  test(`each label of ${line} is read, and changed alone`, () => {
    const at = (one: string) => `# Task: A\n\n${one}\n\n## Steps\n1. [ ] a\n`;
    const { status, owner, tags, task } = describeDocument(AT, at(line));
    const { priority, due, dependencies = [] } = task ?? {};
    const nothing = {
      status: null,
      owner: null,
      priority: undefined,
      due: undefined,
      tags: [],
      dependencies: [],
    };
    assert.deepEqual({ status, owner, priority, due, tags, dependencies }, { ...nothing, ...says });
    assert.equal(changeTask(at(line), change).text, at(then));
    const word = /wip|hecho|完了|waiting.*/;
    if (status !== null) assert.equal(setTaskStatus(at(line), "blocked"), at(line.replace(word, "blocked")));
  });

test("what such a line says in another form is named, and frontmatter counts first", () => {
  assert.deepEqual(read(body("Due: soon")).unread, ["Due: soon is not read; write YYYY-MM-DD"]);
  const both = `---\npriority: high\ntags: [a]\n---\n${body("Priority: low\nTags: b")}`;
  const unread = ["Priority: low is not read: priority stands there, too"];
  assert.deepEqual(read(both), { priority: "high", tags: ["a", "b"], unread });
  const edited = changeTask(both, { priority: null, tags: ["c"] }).text;
  assert.equal(edited, `---\ntags: [c]\n---\n# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] a\n`);
});

test("a label further below is text, and a value that no line can hold goes into frontmatter", () => {
  assert.deepEqual(read(body("Text.\nPriority: high")), { tags: [], unread: [] });
  const edited = changeTask(body("Owner: ana"), { owner: "eva ^x" }).text;
  assert.equal(edited, `---\nowner: eva ^x\n---\n${body("").replace("\n\n\n", "\n\n")}`);
});

const PIECES = [
  "Priority: high",
  "Owner:: `x`",
  "Tags: #a #b",
  "Tags: a, ^b",
  "# Task: A",
  "\n",
  "---",
  "tags: [x]",
  "%%",
  "**",
];

test("whatever the text, what is written is read, and written again it changes nothing", () => {
  const piece = fc.oneof(anyText, fc.constantFrom(...PIECES));
  const owner = fc.constantFrom("eva", "x ^y", "`q`", "a, b");
  const tags = fc.constantFrom(["t"], ["a", "b"], ["a b"]);
  const property = fc.property(fc.array(piece, { maxLength: 8 }), owner, tags, (parts, name, words) => {
    const changes = { owner: name, tags: words, priority: "low" } as const;
    const text = parts.join("\n");
    if (read(text).unread.length > 0 || parseFrontmatter(text).problem !== null) return;
    const edited = changeTask(text, changes).text;
    assert.equal(changeTask(edited, changes).text, edited);
    const { owner: written, tags: list } = read(edited);
    const { task, bodyOffset } = describeDocument(AT, edited);
    if (task === null) return;
    assert.equal(written, name);
    assert.deepEqual(new Set(list), new Set([...words, ...tagsOfBody(edited, bodyOffset)]));
  });
  fc.assert(property, { numRuns: numRuns(2_000) });
});
