import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect, type Files, makeWorkspace, PERSON } from "../fixtures/workspace.ts";

const GATE = "---\nreview: required\n---\n# P\n";
const task = (title: string, more = "") => `# Task: ${title}\n\nStatus: pending\n\n## Objective\nx\n${more}`;

interface Answer {
  task: { new_status: string; status: string; path: string };
  unblocked?: unknown[];
  hint?: string;
}

async function gated(t: TestContext, files: Files) {
  const root = makeWorkspace(t, { "p/status.md": GATE, ...files });
  const agent = await connect(t, root);
  const person = await connect(t, root, { ...PERSON });
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  return { root, agent, person, text };
}

test("where reviews are required, two agents finish fifty tasks, and none is done without a person", async (t) => {
  const names = Array.from({ length: 50 }, (_, at) => String(at + 1).padStart(3, "0"));
  const waits = { "p/tasks/051-last.md": task("Last", "\n## Context\n\n- Dependencies: 001\n") };
  const files = Object.fromEntries(names.map((name) => [`p/tasks/${name}-t.md`, task(name)]));
  const { root, agent, person } = await gated(t, { ...files, ...waits });
  const other = await connect(t, root, { client: "other" });
  const work = async ({ call }: typeof agent, name: string, at: number) => {
    const claim = await call<Answer>("claim_task", { project: "p", agent: name });
    if (at % 2 === 0) return void (await call("claim_task", { project: "p", agent: name, finish: true }));
    const args = { project: "p", task: claim.task.path, status: "done", agent: name };
    const answer = await call<Answer>("update_task_status", args);
    assert.deepEqual([answer.task.new_status, answer.unblocked], ["review", undefined]);
    assert.match(answer.hint ?? "", /once a person approves it/);
  };
  for (let at = 0; at < 25; at++) await Promise.all([work(agent, "ana", at), work(other, "ben", at)]);
  const count = async (status: string) => (await agent.call("list_tasks", { status }))["total"];
  assert.deepEqual([await count("review"), await count("done"), await count("pending")], [50, 0, 1]);
  const approved: Answer = await person.call("update_task_status", {
    project: "p",
    task: "001",
    status: "done",
  });
  assert.equal(approved.task.new_status, "done");
  assert.equal(approved.unblocked?.length, 1);
});

test("no other tool of an agent makes a task done there, and one that was done stays so", async (t) => {
  const { agent, person, text } = await gated(t, { "p/tasks/001-a.md": task("A") });
  const path = "p/tasks/001-a.md";
  await agent.call("update_doc", { path, frontmatter: { status: "done" } });
  assert.match(text(path), /^status: review$/m);
  const { hash, content } = await agent.call<{ hash: string; content: string }>("read_doc", { path });
  const exact = { path, content: content.replaceAll("review", "done"), exact: true, expected_hash: hash };
  assert.equal((await agent.fail("update_doc", exact)).code, "INVALID_STATUS");
  const replace = { path, find: "status: review", replace: "status: done" };
  const refused = await agent.client.callTool({ name: "vault_replace", arguments: replace });
  assert.match(JSON.stringify(refused), /forbidden/);
  const created: Answer = await agent.call("create_task", {
    ...{ project: "p", title: "B", objective: "b" },
    status: "done",
  });
  assert.equal(created.task.status, "review");
  const cancelled: Answer = await agent.call("update_task_status", {
    project: "p",
    task: created.task.path,
    status: "cancelled",
  });
  assert.equal(cancelled.task.new_status, "review");
  await agent.call("create_doc", {
    project: "p",
    folder: "tasks",
    filename: "003-c.md",
    content: "# C\n\nStatus: done\n",
  });
  assert.match(text("p/tasks/003-c.md"), /Status: review/);
  await person.call("update_task_status", { project: "p", task: "003", status: "done" });
  await agent.call("update_doc", { path: "p/tasks/003-c.md", content: "More.", mode: "append" });
  assert.match(text("p/tasks/003-c.md"), /Status: done[\s\S]*More\./);
});

test("a task comes back with a dated line in its notes, and the agent's name", async (t) => {
  const { agent, person, text } = await gated(t, { "p/tasks/001-a.md": task("A", "\n## Notas\n\n- uno\n") });
  const path = "p/tasks/001-a.md";
  await agent.call("claim_task", { project: "p", agent: "ana" });
  await agent.call("claim_task", { project: "p", agent: "ana", finish: true });
  assert.doesNotMatch(text(path), /claimed_until/);
  await person.call("update_task_status", {
    project: "p",
    task: "001",
    status: "pending",
    note: "No\n# tests <!--",
  });
  assert.match(text(path), /## Notas\n\n- uno\n- \d{4}-\d\d-\d\d: No # tests/);
  await agent.call("update_task_status", {
    project: "p",
    task: "001",
    status: "blocked",
    agent: "ana",
    note: "CI",
  });
  assert.match(text(path), /- \d{4}-\d\d-\d\d, ana: CI\n/);
  const both = { project: "p", agent: "ana", finish: true, release: true };
  assert.equal((await agent.fail("claim_task", both)).code, "INVALID_ARGUMENT");
});

test("projects say that they ask for reviews; elsewhere done is done", async (t) => {
  const { agent } = await gated(t, {
    "q/status.md": "# Q\n\nreview: required\n",
    "q/tasks/001-a.md": task("A"),
  });
  const { projects } = await agent.call<{ projects: { name: string; needs_review?: true }[] }>(
    "list_projects",
  );
  assert.deepEqual(
    projects.map(({ name, needs_review }) => [name, needs_review]),
    [
      ["p", true],
      ["q", undefined],
    ],
  );
  const done: Answer = await agent.call("update_task_status", { project: "q", task: "001", status: "done" });
  assert.equal(done.task.new_status, "done");
});
