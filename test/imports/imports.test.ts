import assert from "node:assert/strict";
import { test } from "node:test";
import { backlogTask, withKnownIds } from "../../src/imports/backlog.ts";
import { beadsTasks } from "../../src/imports/beads.ts";
import { taskmasterTasks } from "../../src/imports/taskmaster.ts";
import { BACKLOG_TASK, BEADS, TASKMASTER } from "../fixtures/imports.ts";

test("a task of Backlog.md keeps its fields, criteria, plan and notes", () => {
  const task = backlogTask(BACKLOG_TASK, "task-7 - Rotate-keys.md") ?? assert.fail();
  assert.deepEqual(task, {
    id: "TASK-7",
    title: "Rotate the keys",
    objective: "Keys are two years old.\n\n- they leak",
    status: "in-progress",
    priority: "high",
    owner: "ana, luis",
    due: "2025-03-01",
    tags: ["security", "feature", "m2-keys"],
    steps: ["Write the job", "Run it"],
    criteria: ["[x] Old keys still verify", "[ ] New keys sign", "[ ] Tests pass"],
    files: ["src/keys.ts"],
    dependencies: ["BACK-03", "TASK-99"],
    related: [{ id: "TASK-1", how: "Part of" }],
    sections: [
      { title: "Implementation notes", text: "Ask Luis first." },
      { title: "Risks", text: "Downtime." },
      { title: "References", text: "- The audit of 2024\n- <https://example.com/keys>" },
    ],
    dates: { created: "2025-01-02", updated: "2025-02-03" },
    lost: ["reporter"],
  });
  assert.equal(backlogTask("# Notes\n", "a.md"), undefined);
  const names = backlogTask("---\nid: B-1\nassignee: [@ana, @luis]\n---\n\n- @mia\n", "b.md");
  assert.deepEqual([names?.owner, names?.sections[0]?.text], ["ana, luis", "- @mia"]);
});

test("a link to a task of Backlog.md that was renamed finds it, if its number is that of one only", () => {
  const named = (id: string, dependencies: string[] = []) =>
    backlogTask(`---\nid: ${id}\ndependencies: [${dependencies}]\n---\n`, "a.md") ?? assert.fail();
  const links = ["task-7.01", "task-8", "DOC-9", "none"];
  const tasks = [named("BACK-1", links), named("BACK-7.1"), named("A-8"), named("B-8")];
  assert.deepEqual(withKnownIds(tasks)[0]?.dependencies, ["BACK-7.1", "task-8", "DOC-9", "none"]);
});

test("issues of beads keep status, priority, links and comments; removed ones stay out", () => {
  const { tasks, skipped } = beadsTasks(BEADS.split("\n"));
  assert.deepEqual(skipped, [
    "2 lines without an issue",
    "1 issue that beads removed",
    "1 issue that beads keeps for a while only",
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
  assert.deepEqual(second?.related, [{ id: "bd-1", how: "Part of" }]);
  assert.deepEqual(tasks[2]?.related, [{ id: "bd-1", how: "Part of" }]);
  assert.deepEqual(second?.criteria, ["Old keys verify"]);
  assert.deepEqual(second?.sections, [
    { title: "Design", text: "Two keys at once." },
    { title: "Comments", text: "- luis, 2025-02-03: Half done. See above." },
  ]);
  assert.deepEqual(second?.lost, ["estimated_minutes"]);
});

test("tasks of Task Master keep their steps, strategies and lists", () => {
  const { tasks } = taskmasterTasks(TASKMASTER);
  const [first, second, third] = tasks;
  assert.deepEqual(
    tasks.map(({ id, status, priority, dependencies, tags }) => [id, status, priority, dependencies, tags]),
    [
      ["1", "done", "high", [], []],
      ["2", "in-progress", "high", ["1"], []],
      ["audit/1", "done", "low", [], ["audit", "cancelled"]],
    ],
  );
  assert.equal(first?.title, "Write the store");
  assert.deepEqual(second?.steps, ["[x] Read", "[ ] Write"]);
  assert.deepEqual(second?.sections, [
    { title: "Details", text: "In two steps." },
    { title: "Test strategy", text: "Rotate in a test." },
    { title: "Step 2", text: "Status: deferred; Needs: 1\n\nWrite it once." },
  ]);
  assert.deepEqual([second?.lost, third?.lost], [[], ["effort"]]);
  const old = taskmasterTasks(JSON.stringify({ tasks: [{ id: 1, title: "Old", dependencies: ["2.1"] }] }));
  assert.deepEqual([old.tasks[0]?.id, old.tasks[0]?.dependencies], ["1", ["2"]]);
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
    beadsTasks([text, undefined]);
    taskmasterTasks(text);
    backlogTask(text, "a.md");
  }
});
