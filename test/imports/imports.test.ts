import assert from "node:assert/strict";
import { test } from "node:test";
import { backlogFiles } from "../../src/setup/imports/backlog.ts";
import { beadsTasks } from "../../src/setup/imports/beads.ts";
import { readImport } from "../../src/setup/imports/import-source.ts";
import { leftOutLines } from "../../src/setup/imports/imported-task.ts";
import { taskmasterTasks } from "../../src/setup/imports/taskmaster.ts";
import { BACKLOG_TASK, BEADS, TASKMASTER } from "../fixtures/imports.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("issues that beads keeps in its database alone are an error that says how to export them", (t) => {
  for (const files of [{ ".beads/issues.jsonl": "" }, { ".beads/metadata.json": "{}" }])
    assert.throws(() => readImport("beads", makeWorkspace(t, files)), /bd export/);
});

const backlogTask = (text: string, path = "tasks/task-1.md", settings = "") =>
  backlogFiles([{ path, text }], settings).tasks[0] ?? assert.fail(text);
const beads = (...lines: (string | undefined)[]) => beadsTasks([{ path: "issues.jsonl", lines }]);
const issue = (id: string, fields: object = {}) =>
  JSON.stringify({ id, title: id, status: "open", ...fields });
const master = (...tasks: unknown[]) =>
  taskmasterTasks({ path: "tasks.json", text: JSON.stringify({ master: { tasks } }) });

test("a task of Backlog.md keeps its fields, criteria, plan and notes", () => {
  const task = backlogTask(BACKLOG_TASK, "tasks/task-7 - Rotate-keys.md");
  assert.deepEqual(task, {
    id: "TASK-7",
    title: "Rotate the keys",
    objective: "Keys are two years old.\n\n- they leak",
    status: "in-progress",
    isArchived: false,
    priority: "high",
    owner: "ana, luis",
    due: "2025-03-01",
    tags: ["security", "feature", "m2-keys"],
    steps: ["Write the job", "Run it"],
    criteria: ["[x] Old keys still verify", "[ ] New keys sign", "[ ] Tests pass"],
    files: ["src/keys.ts"],
    dependencies: ["BACK-03", "TASK-99"],
    parent: "TASK-1",
    related: [],
    sections: [
      { title: "Implementation notes", text: "Ask Luis first." },
      { title: "Risks", text: "Downtime." },
      { title: "References", text: "- The audit of 2024\n- <https://example.com/keys>" },
      { title: "Other fields", text: "- reporter: @luis" },
    ],
    dates: { created: "2025-01-02", updated: "2025-02-03" },
  });
  const names = backlogTask("---\nid: B-1\nassignee: [@ana, @luis]\n---\n\n- @mia\n");
  assert.deepEqual([names.owner, names.sections[0]?.text], ["ana, luis", "- @mia"]);
});

test("of the files of Backlog.md, those with an id are tasks, all others documents, or named with the reason", () => {
  const task = (id: string) => `---\nid: ${id}\ntitle: ${id}\n---\n`;
  const { tasks, documents, leftOut } = backlogFiles([
    { path: "tasks/epics/task-2 - A.md", text: `\uFEFF${task("task-2")}` },
    { path: "drafts/task-3.md", text: task("task-3").replaceAll("\n", "\r\n") },
    { path: "archive/tasks/task-2 - B.md", text: task("task-2") },
    { path: "tasks/7.md", text: "---\nid: 7\ntitle: 2024\n---\n" },
    { path: "tasks/cut.md", text: "---\nid: task-9\ntitle: cut" },
    { path: "tasks/empty.md", text: "\uFEFF\n" },
    { path: "tasks/broken.md", text: "---\nid: task-8\ntitle: a: b\n---\n" },
    { path: "docs/setup.md", text: "---\nid: doc-1\n---\n# Setup\n" },
    { path: "decisions/decision-1.md", text: "# Keys\n" },
    { path: "decisions/two.md", text: "---\nid: two\ndate: 2026-01-02\nstatus: Accepted\n---\n" },
    { path: "decisions/three.md", text: "---\nid: three\nstatus: rejected\n---\n" },
    { path: "tasks/7 2.md", text: "---\nid: 7\ntitle: 2024\n---\nedited\n" },
    { path: "tasks/7.sync-conflict-20260101-101010-ABCDEFG.md", text: task("7") },
    { path: "tasks/empty (1).md", text: task("task-5") },
    { path: "tasks/empty 2.md", text: task("task-6") },
    { path: "milestones/m-1.md", text: task("m-1") },
    { path: "docs/flow.png", text: "x" },
    { path: "docs/old.md", text: { problem: "no UTF-8" } },
  ]);
  assert.deepEqual(
    tasks.map(({ id, title, tags, isArchived }) => [id, title, tags?.join(), isArchived]),
    [
      ["task-2", "task-2", "", false],
      ["task-3", "task-3", "draft", false],
      ["task-2", "task-2", "", true],
      ["7", "2024", "", false],
      ["task-5", "task-5", "", false],
      ["task-6", "task-6", "", false],
    ],
  );
  assert.deepEqual(
    documents.map(({ id, path, decision }) => [id, path, decision]),
    [
      ["doc-1", "docs/setup.md", undefined],
      ["decisions/decision-1.md", "decisions/decision-1.md", undefined],
      ["two", "decisions/two.md", "2026-01-02: two"],
      ["three", "decisions/three.md", undefined],
      ["m-1", "milestones/m-1.md", undefined],
    ],
  );
  assert.deepEqual(leftOutLines(leftOut), [
    "tasks/cut.md: The frontmatter has no closing line `---`.",
    "tasks/empty.md: empty",
    "tasks/broken.md: The frontmatter is not valid YAML (line 3). Not read: title.",
    "docs/flow.png: no .md file",
    "docs/old.md: no UTF-8",
    "tasks/7 2.md: a copy of 7.md that another program left",
    "tasks/7.sync-conflict-20260101-101010-ABCDEFG.md: a copy of 7.md that another program left",
  ]);
});

const CRITERIA = "## Acceptance Criteria\n";
for (const [name, body, expected] of [
  [
    "items of two lines",
    `${CRITERIA}- [x] #1 a goes\n  on\n- [ ] #2 b\ngoes on\n`,
    { criteria: ["[x] a goes on", "[ ] b goes on"] },
  ],
  [
    "items with other marks, above a remark",
    `${CRITERIA}- [✅] a\n- [/] b\n- c\n\nRemark.\n`,
    {
      criteria: ["[✅] a", "[/] b"],
      sections: [{ title: "Acceptance", text: "- [✅] a\n- [/] b\n- c\n\nRemark." }],
    },
  ],
  ["numbered items", `${CRITERIA}1. a\n2. b\n`, { criteria: ["a", "b"] }],
  [
    "items with more below them",
    `${CRITERIA}- [x] a\n  - inner\n- [ ] b\n\nRemark.\n`,
    {
      criteria: ["[x] a", "[ ] b"],
      sections: [{ title: "Acceptance", text: "- [x] a\n  - inner\n- [ ] b\n\nRemark." }],
    },
  ],
  [
    "a plan that is a text",
    "## Implementation Plan\nFirst look.\n\n```\n- code\n```\n",
    { steps: [], sections: [{ title: "Implementation plan", text: "First look.\n\n```\n- code\n```" }] },
  ],
  [
    "a fence that is open where its part ends",
    "## Description\n<!-- SECTION:DESCRIPTION:BEGIN -->\n```js\nx\n<!-- SECTION:DESCRIPTION:END -->\n\n## acceptance criteria\r\n<!-- AC:BEGIN -->\r\n- [ ] #1 a\r\n<!-- AC:END -->\r\n",
    { objective: "```js\nx\n```", criteria: ["[ ] a"] },
  ],
  [
    "marks and headings within a fence",
    "## Description\n````md\n```\n## No heading\n```\n````\n## Notes\n~~~\n<!-- not: a mark -->\n~~~\n",
    {
      objective: "````md\n```\n## No heading\n```\n````",
      sections: [{ title: "Notes", text: "~~~\n<!-- not: a mark -->\n~~~" }],
    },
  ],
  [
    "sections with unknown, equal and underlined names, and text before them",
    "Before.\n\n## Risks\na\n\nMore\n----\nb\n\n## Risks\nc\n\n## Empty\n",
    {
      sections: [
        { title: "Text", text: "Before." },
        { title: "Risks", text: "a" },
        { title: "More", text: "b" },
        { title: "Risks", text: "c" },
        { title: "Empty", text: "" },
      ],
    },
  ],
  [
    "comments",
    "## Comments\n<!-- COMMENTS:BEGIN -->\n<!-- COMMENT:1:BEGIN -->\nana: hi\n<!-- COMMENT:1:END -->\n<!-- COMMENTS:END -->\n",
    { sections: [{ title: "Comments", text: "ana: hi" }] },
  ],
] as const)
  test(`a task of Backlog.md keeps ${name}`, () => {
    const task = backlogTask(`---\nid: a\n---\n\n${body}`);
    const parts = {
      objective: task.objective,
      criteria: task.criteria,
      steps: task.steps,
      sections: task.sections,
    };
    assert.deepEqual(parts, { objective: "", criteria: [], steps: [], sections: [], ...expected });
  });

test("the last status of the settings of Backlog.md is done, unless a word says more", () => {
  const settings = 'project_name: x\nstatuses: ["To Do", "Doing", "Shipped"]\n';
  for (const [status, settled, expected] of [
    ["shipped", settings, "done shipped"],
    ["Shipped", "", "pending shipped"],
    ["Wontfix", "statuses: [a, Wontfix]", "cancelled "],
    ["Blocked", "statuses:\n  - Done\n  - Blocked\n", "blocked "],
    ["Shipped", "statuses: [", "pending shipped"],
  ] as const) {
    const task = backlogTask(`---\nid: a\nstatus: ${status}\n---\n`, "tasks/a.md", settled);
    assert.equal(`${task.status} ${task.tags?.join()}`, expected);
  }
});

test("a link to a task of Backlog.md that was renamed finds it, if its number is that of one only", () => {
  const links = ["task-7.01", "task-8", "DOC-9", "none"];
  const files = ["BACK-1", "BACK-7.1", "A-8", "B-8"].map((id) => ({
    path: `tasks/${id}.md`,
    text: `---\nid: ${id}\ndependencies: [${id === "BACK-1" ? links : ""}]\n---\n`,
  }));
  const [task] = backlogFiles(files).tasks;
  assert.deepEqual(task?.dependencies, ["BACK-7.1", "task-8", "DOC-9", "none"]);
});

test("issues of beads keep status, priority, links and comments; removed ones stay out", () => {
  const { tasks, leftOut } = beads(...BEADS.split("\n"));
  assert.deepEqual(leftOutLines(leftOut), [
    "issues.jsonl (line 4 bd-3): removed in beads",
    "issues.jsonl (line 5 bd-wisp-1): kept by beads for a while only",
    "issues.jsonl (line 6): no issue, but a memory",
    "issues.jsonl (line 7, line 8): cut, or no issue",
  ]);
  assert.deepEqual(
    tasks.map(({ id, status, priority, tags }) => [id, status, priority, tags]),
    [
      ["bd-1", "done", "high", ["epic"]],
      ["bd-1.1", "in-progress", "medium", ["auth", "bug"]],
      ["bd-2", "pending", "low", ["deferred"]],
    ],
  );
  const [, second] = tasks;
  assert.deepEqual(second?.dependencies, ["bd-2"]);
  assert.deepEqual(
    tasks.map(({ parent, related }) => [parent, related]),
    [
      [undefined, []],
      ["bd-1", []],
      ["bd-1", []],
    ],
  );
  assert.deepEqual(second?.criteria, ["Old keys verify"]);
  assert.deepEqual(second?.sections, [
    { title: "Design", text: "Two keys at once." },
    { title: "Comments", text: "- luis, 2025-02-03:\n  Half done.\n  See above." },
    { title: "Other fields", text: "- estimated_minutes: 30" },
  ]);
});

test("of the lines with one id in beads, those created at one time are versions of one issue", () => {
  const created_at = "2026-01-05T10:00:00Z";
  const at = (updated_at: string, title: string) => issue("bd-1", { created_at, updated_at, title });
  const { tasks, leftOut } = beads(
    `\uFEFF${at("2026-02-01T00:00:00+09:00", "newer")}\r`,
    at("2026-01-31T23:00:00+09:00", "older"),
    at("2026-02-01T00:00:00+09:00", "newer").replace("10:00:00Z", "11:00:00.000+01:00"),
    issue("bd-1", { created_at: "2026-03-01T00:00:00Z", title: "another" }),
    issue("bd-2"),
    issue("bd-2", { title: "later line" }),
    undefined,
    "",
  );
  assert.deepEqual(
    tasks.map(({ id, title }) => `${id} ${title}`),
    ["bd-1 newer", "bd-1 another", "bd-2 later line"],
  );
  assert.deepEqual(leftOutLines(leftOut), [
    "issues.jsonl (line 2 bd-1, line 1 bd-1, line 5 bd-2): older versions of issues that came in",
    "issues.jsonl (line 7): longer than 4 MB",
  ]);
});

for (const [name, fields, expected] of [
  ["lists where a text is usual", { description: ["a", "b"], notes: 7 }, /^- a\n- b\|.*Remarks: 7/s],
  [
    "a text where a list is usual",
    { labels: "ui", comments: "hi\nyou", dependencies: ["bd-9"] },
    /ui\|bd-9\|.*- Comment:\n {2}hi\n {2}you/s,
  ],
  [
    "dates and priorities that it does not know",
    { due_at: "next week", priority: "soon" },
    /- due_at: next week\n- priority: soon|- priority: soon\n- due_at: next week/,
  ],
  ["comments of another shape", { comments: [{ by: "ana", body: "look" }] }, /"body":"look"/],
  [
    "fields of several lines and objects",
    { lesson: "a\nb", metadata: { a: [1] } },
    /- lesson:\n {2}a\n {2}b\n- metadata: `\{"a":\[1\]\}`/,
  ],
] as const)
  test(`an issue of beads keeps ${name}`, () => {
    const [task] = beads(issue("bd-1", fields)).tasks;
    const sections = task?.sections.map(({ title, text }) => `${title}: ${text}`).join("\n");
    assert.match(
      `${task?.objective}|${task?.tags?.join()}|${task?.dependencies.join()}|${sections}`,
      expected,
    );
  });

test("tasks of Task Master keep their steps, strategies and lists", () => {
  const { tasks } = taskmasterTasks({ path: "tasks.json", text: `\uFEFF${TASKMASTER}` });
  const [first, second, third] = tasks;
  assert.deepEqual(
    tasks.map(({ id, status, priority, dependencies, tags }) => [id, status, priority, dependencies, tags]),
    [
      ["1", "done", "high", [], []],
      ["2", "in-progress", "high", ["1"], []],
      ["audit/1", "cancelled", "low", [], ["audit"]],
    ],
  );
  assert.equal(first?.title, "Write the store");
  assert.deepEqual(second?.steps, ["[x] Read", "[ ] Write"]);
  assert.deepEqual(second?.sections, [
    { title: "Details", text: "In two steps." },
    { title: "Test strategy", text: "Rotate in a test." },
    { title: "Step 2", text: "Status: deferred; Needs: 1\n\nWrite it once." },
  ]);
  assert.deepEqual(third?.sections, [{ title: "Other fields", text: "- effort: 2d" }]);
  const text = JSON.stringify({
    tasks: [{ id: 1, title: "Old", dependencies: ["2.1"] }],
    next: { tasks: [{ id: 1 }] },
  });
  const old = taskmasterTasks({ path: "tasks.json", text });
  assert.deepEqual(
    old.tasks.map(({ id, dependencies }) => [id, dependencies]),
    [
      ["1", ["2"]],
      ["next/1", []],
    ],
  );
});

test("tasks of Task Master that cannot come in are named, and steps within steps come in", () => {
  const inner = { id: 1, title: "Inner", status: "done", note: "n" };
  const { tasks, leftOut } = master({ id: 1, description: "Only this" }, { title: "x" }, 7, {
    id: "1",
    title: "B",
    subtasks: [{ id: 1, title: "Outer", subtasks: [inner] }, "Just words"],
  });
  assert.deepEqual(
    tasks.map(({ title, steps }) => [title, steps]),
    [
      ["Only this", []],
      ["B", ["[ ] Outer", "[x] Inner", "[ ] Just words"]],
    ],
  );
  assert.deepEqual(tasks[1]?.sections, [{ title: "Step 2", text: "- note: n" }]);
  assert.deepEqual(leftOutLines(leftOut), [
    "tasks.json (task 2 of master, task 3 of master): a task without an id",
  ]);
  const cut = taskmasterTasks({ path: "tasks.json", text: TASKMASTER.slice(0, 90) });
  assert.deepEqual(leftOutLines(cut.leftOut), ["tasks.json: cut, or no list of tasks in JSON"]);
});

test("names in a list, steps without a title and lists of their own name come in", () => {
  assert.equal(beads(issue("b-1", { assignee: ["ana", "bo"] })).tasks[0]?.owner, "ana, bo");
  const [task] = master({
    id: 1,
    title: "A",
    assignee: ["ana"],
    subtasks: [{ id: 1 }, { id: 2, details: "x" }],
  }).tasks;
  assert.deepEqual([task?.owner, task?.steps], ["ana", ["[ ] 1", "[ ] 2"]]);
  const text = JSON.stringify({ tasks: [{ id: 1, title: "A" }], later: [{ id: 1, title: "B" }] });
  const { tasks } = taskmasterTasks({ path: "tasks.json", text });
  assert.deepEqual(
    tasks.map(({ id }) => id),
    ["1", "later/1"],
  );
});

test("of many lines with one reason the first are named, and the rest counted", () => {
  const { leftOut } = beads(...Array.from({ length: 30 }, () => "{"));
  assert.match(leftOutLines(leftOut)[0] ?? "", /line 20 and 10 more\): cut, or no issue$/);
});

test("whatever a file holds, reading it does not throw", () => {
  const texts = [
    "",
    "null",
    "[]",
    "[[",
    '{"id": {}}',
    '{"tasks": 7}',
    '{"master": {"tasks": [null, 1, {}]}}',
    "---\nid: [\n---\n",
  ];
  const fields = ["status", "labels", "dependencies", "comments", "priority", "subtasks", "assignee"];
  for (const value of [null, 7, "x", [], [null], {}, [[{}]]]) {
    for (const field of fields) {
      const task = JSON.stringify({ id: "a", title: "t", [field]: value });
      texts.push(
        task,
        `{"master": {"tasks": [${task}]}}`,
        `---\nid: a\n${field}: ${JSON.stringify(value)}\n---\n`,
      );
    }
  }
  for (const text of texts) {
    beads(text, undefined);
    taskmasterTasks({ path: "a", text });
    backlogFiles([{ path: "tasks/a.md", text }], text);
  }
});
