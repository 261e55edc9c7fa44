import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const conflict = (ours: string, theirs: string) =>
  `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> topic\n`;
const STEPS = "## Steps\n1. [ ] one\n";
const FIELDS = `---\n${conflict("status: done", "status: blocked")}---\n# Task: A\n\n${STEPS}`;
const LINE = `# Task: B\n\n${conflict("Status: pending", "Status: blocked")}\n${STEPS}`;
const TEXT = `# Task: C\n\nStatus: pending\n\n${STEPS}\n## Notes\n${conflict("ours", "theirs")}`;
const FILES = {
  "p/tasks/001-a.md": FIELDS,
  "p/tasks/002-b.md": LINE,
  "p/tasks/003-c.md": TEXT,
  "p/tasks/004-d.md": `# Task: D\n\nStatus: pending\n\n\`\`\`\n${conflict("shown", "only")}\`\`\`\n`,
  "p/plans/plan.md": `# Plan\n\n${conflict("first", "second")}`,
};

test("documents with conflicts are named with their lines", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const read = (path: string) => call("read_doc", { path });
  assert.deepEqual((await read("p/tasks/003-c.md"))["conflicts"], [{ first: 9, last: 13 }]);
  assert.equal((await read("p/tasks/004-d.md"))["conflicts"], undefined);
  const { tasks } = await call<{ tasks: { number: string; conflicts?: unknown }[] }>("list_tasks", {
    project: "p",
  });
  const named = tasks.map(({ number, conflicts }) => [number, conflicts]);
  assert.deepEqual(named.sort(), [
    ["001", [{ first: 2, last: 6 }]],
    ["002", [{ first: 3, last: 7 }]],
    ["003", [{ first: 9, last: 13 }]],
    ["004", undefined],
  ]);
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /`p\/tasks\/001-a\.md`, lines 2 to 6\n/);
  assert.match(text, /`p\/plans\/plan\.md`, lines 3 to 7\n/);
});

test("a tool that would edit a conflict answers CONFLICT with the way out, and update_doc takes it", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { call, fail } = await connect(t, root);
  const refused = [
    ["update_task_status", { project: "p", task: "1", status: "pending" }],
    ["update_task", { project: "p", task: "1", priority: "high" }],
    ["update_task", { project: "p", task: "1", done_steps: [1] }],
    ["update_task", { project: "p", task: "1", title: "New" }],
    ["claim_task", { project: "p", task: "2", agent: "ana" }],
    ["update_task_status", { project: "p", task: "2", status: "done" }],
    ["update_doc", { path: "p/tasks/001-a.md", frontmatter: { owner: "ana" } }],
    ["update_doc", { path: "p/tasks/001-a.md", mode: "append", content: "More." }],
  ] as const;
  for (const [tool, args] of refused) {
    const { code, message, details } = await fail(tool, args);
    assert.equal(code, "CONFLICT", tool);
    assert.match(message, /lines \d to \d of this document.*update_doc/, tool);
    assert.ok(Array.isArray(details["conflicts"]), tool);
  }
  for (const [path, text] of Object.entries(FILES))
    assert.equal(readFileSync(join(root, path), "utf8"), text);
  // Elsewhere in the text, a conflict is in nobody's way.
  await call("update_task", { project: "p", task: "3", done_steps: [1] });
  await call("update_task_status", { project: "p", task: "3", status: "done" });
  assert.match(
    readFileSync(join(root, "p/tasks/003-c.md"), "utf8"),
    /Status: done\n\n## Steps\n1\. \[x\] one\n\n## Notes\n<<<<<<< HEAD\nours\n/,
  );
  const content = `---\nstatus: blocked\n---\n# Task: A\n\n${STEPS}`;
  await call("update_doc", { path: "p/tasks/001-a.md", content });
  assert.equal(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), content);
  await call("update_doc", {
    path: "p/tasks/003-c.md",
    content: "# Task: C\n\nStatus: done\n\nours and theirs\n",
  });
  assert.equal((await call("read_doc", { path: "p/tasks/003-c.md" }))["conflicts"], undefined);
  await call("update_task_status", { project: "p", task: "1", status: "pending" });
});

test("claim_task without a task passes over one in conflict, and says why", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": LINE,
    "p/tasks/002-b.md": "# Task: B\n\nStatus: pending\n",
  });
  const { call } = await connect(t, root);
  const { task, hint } = await call<{ task: { number: string }; hint?: string }>("claim_task", {
    project: "p",
    agent: "ana",
  });
  assert.equal(task.number, "002");
  assert.match(hint ?? "", /lines 3 to 7/);
});

test("tasks that share a number are named, archived ones too", async (t) => {
  const files = {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/2-b.md": "x",
    "p/archive/tasks/001-c.md": "x",
  };
  const { call } = await connect(t, makeWorkspace(t, { ...files, "q/tasks/002-d.md": "x" }));
  const { tasks } = await call<{ tasks: { path: string; same_number?: string[] }[] }>("list_tasks", {});
  assert.deepEqual(
    tasks.map(({ path, same_number }) => [path, same_number]),
    [
      ["p/tasks/001-a.md", ["p/archive/tasks/001-c.md"]],
      ["p/tasks/2-b.md", undefined],
      ["q/tasks/002-d.md", undefined],
    ],
  );
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /same number.*\n\n- `p\/archive\/tasks\/001-c\.md`, `p\/tasks\/001-a\.md`\n/);
});
