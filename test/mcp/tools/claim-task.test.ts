import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { claimTaskTool } from "../../../src/core/mcp/tools/claim-task.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, dateFile, type Files, makeWorkspace, PERSON } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof claimTaskTool>;

const body = (status: string, dependencies = "none") =>
  `# Task: T\r\n\r\nStatus: ${status}\r\n\r\n## Context\r\n- Dependencies: ${dependencies}\r\n\r\n## Steps\r\n1. [ ] A\r\n`;

/** A server whose clock the test sets. */
async function serve(t: TestContext, files: Files) {
  const root = makeWorkspace(t, files);
  const now = { time: "2026-03-01T12:00:00Z" };
  const connected = await connect(t, root, { clock: { now: () => new Date(now.time) } });
  const claim = (agent: string, args: object = {}) =>
    connected.call<Answer>("claim_task", { project: "p", agent, ...args });
  const read = (name: string) => readFileSync(join(root, "p/tasks", name), "utf8");
  return { ...connected, root, claim, read, now };
}

test("claim_task takes the most urgent ready task, and only frontmatter and status change", async (t) => {
  const { claim, read } = await serve(t, {
    "p/tasks/001-a.md": `\uFEFF${body("pending")}`,
    "p/tasks/002-b.md": `---\npriority: high # now\n---\n${body("pending")}`,
    "p/tasks/003-c.md": `---\npriority: high\n---\n${body("pending", "001-a")}`,
  });
  const { task } = await claim("ana");
  const expected = { number: "002", title: "T", filename: "002-b.md", path: "p/tasks/002-b.md" };
  const claimed = { status: "in-progress", owner: "ana", claimed_until: "2026-03-01T16:00Z" };
  assert.deepEqual(task, { ...expected, ...claimed });
  assert.equal(
    read("002-b.md"),
    `---\npriority: high # now\nowner: ana\nclaimed_until: 2026-03-01T16:00Z\n---\n${body("in-progress")}`,
  );
  assert.equal((await claim("ben", { minutes: 1 })).task?.filename, "001-a.md");
  const block = "---\r\nowner: ben\r\nclaimed_until: 2026-03-01T12:01Z\r\n---\r\n";
  assert.equal(read("001-a.md"), `\uFEFF${block}${body("in-progress")}`);
  const { reason, ...answer } = await claim("cy");
  assert.deepEqual(answer, { success: true, task: null });
  const facts = ["'ana' until 2026-03-01T16:00Z", "003", "001-a", "001", "'ben' until 2026-03-01T12:01Z"];
  assertTells(reason, ["No task", "002", ...facts]);
});

test("a task that a person put first is claimed before a more urgent one", async (t) => {
  const { claim } = await serve(t, {
    "p/tasks/001-a.md": `---\npriority: high\n---\n${body("pending")}`,
    "p/tasks/002-b.md": `---\norder: 3\n---\n${body("pending")}`,
    "p/tasks/003-c.md": `---\norder: 2\npriority: low\n---\n${body("pending")}`,
  });
  const claimed = [];
  for (const agent of ["ana", "ben", "cy"]) claimed.push((await claim(agent)).task?.number);
  assert.deepEqual(claimed, ["003", "002", "001"]);
});

test("a held task is refused with holder and end; when the claim runs out, the next agent gets it", async (t) => {
  const { call, claim, fail, read, now } = await serve(t, { "p/tasks/001-a.md": body("pending") });
  await claim("ana", { minutes: 10 });
  const { code, message, details } = await fail("claim_task", { project: "p", agent: "ben", task: 1 });
  assert.equal(code, "CONFLICT");
  assertTells(message, ["ana", "2026-03-01T12:10Z", "claim_task", "task"]);
  assert.deepEqual([details["owner"], details["claimed_until"]], ["ana", "2026-03-01T12:10Z"]);
  now.time = "2026-03-01T12:10:00Z";
  const { task, hint } = await claim("ben");
  assert.deepEqual(
    [task?.owner, task?.claimed_until, hint],
    ["ben", "2026-03-01T16:10Z", "Before, 'ana' owned it."],
  );
  const late = { project: "p", task: "1", agent: "ana" };
  const note = await call<{ hint: string }>("update_task_status", {
    ...late,
    status: "in-progress",
    note: "Hm.",
  });
  assertTells(note.hint, ["ben", "2026-03-01T16:10Z"]);
  const refused = await fail("update_task_status", { ...late, status: "blocked" });
  assert.deepEqual([refused.code, refused.details["owner"]], ["CONFLICT", "ben"]);
  assert.match(read("001-a.md"), /owner: ben\r\nclaimed_until: 2026-03-01T16:10Z/);
});

test("each write of the owner renews the claim, done ends it, and pending gives the task back", async (t) => {
  const { call, claim, client, read, now } = await serve(t, { "p/tasks/001-a.md": body("pending") });
  await claim("ana", { minutes: 600 });
  const status = (value: string, agent?: string) =>
    call<{ hint?: string }>("update_task_status", { project: "p", task: "1", status: value, agent });
  await status("blocked", "Ana");
  assert.match(read("001-a.md"), /claimed_until: 2026-03-01T22:00Z/, "a write never shortens a claim");
  now.time = "2026-03-01T20:00:00Z";
  await status("in-progress", "ana");
  assert.match(read("001-a.md"), /claimed_until: 2026-03-02T00:00Z/);
  assert.match((await status("done", "ana")).hint ?? "", /1 open step/);
  assert.match(read("001-a.md"), /^---\r\nowner: ana\r\n---\r\n# Task/);
  await status("pending");
  await claim("ana", { task: "001" });
  await status("pending", "ana");
  assert.equal(read("001-a.md"), body("pending"));
  // Without `agent`, the client's name says who writes.
  const name = String((client as unknown as { _clientInfo: { name: string } })._clientInfo.name);
  await call("claim_task", { project: "p", minutes: 1 });
  assert.ok(read("001-a.md").includes(`owner: ${name}\r\n`));
  const edit = { project: "p", folder: "tasks", filename: "1", content: "Note.", mode: "append" };
  const edited = await call("update_doc", edit);
  assert.equal(edited["hint"], undefined);
  assert.match(read("001-a.md"), /claimed_until: 2026-03-02T00:00Z[\s\S]*Note\./);
  await claim(name, { task: "1", release: true });
  await claim("ben");
  assert.match(String((await call("update_doc", edit))["hint"]), /held by 'ben'/);
});

test("release gives the task back; only its owner can", async (t) => {
  const { claim, fail, read } = await serve(t, {
    "p/tasks/001-a.md": body("pending"),
    "p/tasks/002-b.md": body("pending"),
  });
  const nothing = await fail("claim_task", { project: "p", agent: "ana", release: true });
  assert.match(nothing.message, /'ana' holds no task/);
  await claim("ana");
  await claim("ana");
  const several = await fail("claim_task", { project: "p", agent: "ana", release: true });
  assertTells(several.message, ["001", "002"]);
  const other = await fail("claim_task", { project: "p", agent: "ben", task: "1", release: true });
  assert.deepEqual([other.code, other.details["owner"]], ["CONFLICT", "ana"]);
  const { task } = await claim("ana", { task: "2", release: true });
  assert.deepEqual([task?.status, task?.owner], ["pending", null]);
  assert.equal(read("002-b.md"), body("pending"));
  assert.equal((await claim("ana", { release: true })).task?.number, "001");
  assert.match((await claim("ana", { task: "1", release: true })).hint ?? "", /did not hold/);
});

test("a release after done keeps who did it", async (t) => {
  const { call, claim, read } = await serve(t, { "p/tasks/001-a.md": body("pending") });
  await claim("ana");
  await call("update_task_status", { project: "p", task: "1", status: "done", agent: "ana" });
  const released = await claim("ana", { task: "1", release: true });
  assert.deepEqual([released.task?.owner, released.task?.status], ["ana", "done"]);
  assert.match(released.hint ?? "", /nothing was changed/);
  assert.match(read("001-a.md"), /^---\r\nowner: ana\r\n---\r\n/);
});

test("a name is the same with other spaces and letter case", async (t) => {
  const { call, claim } = await serve(t, { "p/tasks/001-a.md": body("pending") });
  await claim("Ana  Mar\u00eda");
  const args = { project: "p", task: "1", agent: " ana  mari\u0301a", tags: ["x"] };
  assert.equal((await call<{ hint?: string }>("update_task", args)).hint, undefined);
});

test("a task with several owners is assigned to each of them", async (t) => {
  const { call, claim } = await serve(t, {
    "p/tasks/001-a.md": `---\nowner: [Ana, 7]\n---\n${body("pending")}`,
  });
  assert.match((await claim("ben")).reason ?? "", /001 is assigned to 'Ana, 7'/);
  const args = { project: "p", owner: "ana" };
  assert.equal((await call<{ total: number }>("list_tasks", args)).total, 1);
  assertTells((await claim("7")).hint, ["'Ana, 7'"]);
});

test("claims and owners written by hand count", async (t) => {
  const of = (fields: string, status: string) => `---\n${fields}\n---\n${body(status)}`;
  const { call, claim, fail } = await serve(t, {
    "p/tasks/001-a.md": of("owner: Ana\nclaimed_until: 2026-03-01 13:30+0100", "pending"),
    "p/tasks/002-b.md": of("owner: ana", "in-progress"),
    "p/tasks/003-c.md": of("owner: ana", "pending"),
    "p/tasks/004-d.md": body("blocked"),
    "p/tasks/005-e.md": body("in-progress"),
    "p/tasks/006-f.md": body("someday"),
    "p/tasks/007-g.md": body("done"),
  });
  const { reason } = await claim("ben");
  const reasons = reason?.split("; ") ?? [];
  assert.equal(reasons.length, 6);
  assertTells(reasons[0], ["001", "held", "'Ana'", "until 2026-03-01 13:30+0100"]);
  assertTells(reasons[1], ["002", "assigned", "'ana'"]);
  assertTells(reasons[2], ["003", "assigned", "'ana'"]);
  assertTells(reasons[3], ["004", "blocked"]);
  assertTells(reasons[4], ["005", "in progress", "without an owner"]);
  assertTells(reasons[5], ["1 more"]);
  assert.match((await fail("claim_task", { project: "p", agent: "ben", task: "7" })).message, /is done/);
  for (const task of ["2", "3"]) assertTells((await claim("ben", { task })).hint, ["'ana'"]);
  assert.equal((await claim("ANA")).task, null);
  await call("update_task_status", { project: "p", task: "1", status: "done", agent: "ana" });
  assert.equal((await claim("ben", { task: "5" })).task?.owner, "ben");
  assert.equal((await fail("claim_task", { project: "p", agent: " " })).code, "INVALID_ARGUMENT");
});

test("a claim that a file gives itself ends at most seven days after the file changed", async (t) => {
  const held = `---\nowner: ana\nclaimed_until: 2999-01-01\n---\n${body("in-progress")}`;
  const { root, call, claim, fail, now } = await serve(t, { "p/tasks/001-a.md": held });
  dateFile(root, "p/tasks/001-a.md", "2026-02-24T12:00:00Z");
  const done = { project: "p", task: "1", status: "done" };
  for (const [tool, args] of Object.entries({
    claim_task: { task: "1", agent: "ben" },
    update_task_status: done,
  }))
    assert.equal((await fail(tool, { project: "p", ...args })).details["claimed_until"], "2026-03-03T12:00Z");
  const { tasks } = await call<{ tasks: { held_until: string }[] }>("list_tasks");
  assert.equal(tasks[0]?.held_until, "2026-03-03T12:00Z");
  now.time = "2026-03-03T12:00:00Z";
  assert.equal((await claim("ben")).task?.number, "001");
});

test("an empty project and a finished one say so", async (t) => {
  const { call, claim } = await serve(t, { "p/": "" });
  assertTells((await claim("ana")).reason, ["no tasks"]);
  await call("create_task", { project: "p", title: "A", objective: "A.", status: "done" });
  assertTells((await claim("ana")).reason, ["done"]);
});

test("a task whose file cannot be changed is skipped, and named", async (t) => {
  const { claim } = await serve(t, {
    "p/tasks/001-a.md": Buffer.from("# Caf\xe9\n\nStatus: pending\n", "latin1"),
    "p/tasks/002-b.md": `+++\ntitle = "a"\n+++\n${body("pending")}`,
    "p/tasks/003-c.md": `---\npriority: high\nowner: cy\n---\n${body("pending")}`,
    "p/tasks/004-d.md": body("pending"),
  });
  const { task, hint } = await claim("ana");
  assert.equal(task?.filename, "004-d.md");
  assertTells(hint ?? "", ["001", "001-a.md", "UTF-8", "002", "YAML"]);
  const { reason } = await claim("ben");
  assertTells(reason ?? "", ["001", "002", "003"]);
});

test("a claimed task names what it waits for in whole sentences", async (t) => {
  const { claim } = await serve(t, {
    "p/tasks/001-a.md": body("pending", "003"),
    "p/tasks/002-b.md": body("pending", "003, 004"),
    "p/tasks/003-c.md": body("blocked"),
  });
  assertTells((await claim("ana", { task: "1" })).hint, ["003"]);
  assertTells((await claim("ana", { task: "2" })).hint, ["003", "004"]);
});

test("a claim and its end give back the status of the task", async (t) => {
  const files = ["pending", "blocked", "in-progress", "someday"].map(
    (status, at) => [`p/tasks/00${at + 1}-a.md`, body(status)] as const,
  );
  const { call, claim, read, now } = await serve(t, Object.fromEntries(files));
  for (const [path, text] of files) {
    const name = path.slice("p/tasks/".length);
    await claim("ana", { task: name });
    await claim("ana", { task: name });
    assert.match(read(name), /Status: in-progress/);
    await claim("ana", { task: name, release: true });
    assert.equal(read(name), text);
  }
  await call("update_task_status", { project: "p", task: "1", status: "done" });
  await claim("ana", { task: "2" });
  assert.match(read("002-a.md"), /claimed_from: blocked/);
  now.time = "2026-03-02T12:00:00Z";
  const { reason } = await claim("ben");
  assertTells(reason ?? "", ["002", "blocked"]);
  await claim("ben", { task: "2" });
  await call("update_task_status", { project: "p", task: "2", status: "blocked", agent: "ben" });
  assert.doesNotMatch(read("002-a.md"), /claimed_from/);
  await claim("ben", { task: "2", release: true });
  assert.equal(read("002-a.md"), body("blocked"));
});

test("no agent gives away a task that another one holds", async (t) => {
  const { call, claim, fail, read, now } = await serve(t, { "p/tasks/001-a.md": body("pending") });
  await claim("bo");
  const held = read("001-a.md");
  const change = { project: "p", task: "1", owner: "ana", agent: "cy" };
  for (const owner of ["ana", null]) {
    const { code, message, details } = await fail("update_task", { ...change, owner });
    assert.deepEqual(
      [code, details["owner"], details["claimed_until"]],
      ["CONFLICT", "bo", "2026-03-01T16:00Z"],
    );
    assertTells(message, ["bo", "2026-03-01T16:00Z"]);
  }
  const edit = { project: "p", folder: "tasks", filename: "1", frontmatter: { owner: "ana" } };
  assert.equal((await fail("update_doc", edit)).code, "CONFLICT");
  assert.equal(read("001-a.md"), held);
  assert.deepEqual((await call<{ changed: string[] }>("update_task", { ...change, agent: "Bo" })).changed, [
    "owner",
  ]);
  assert.match(read("001-a.md"), /^---\r\nowner: ana\r\n---\r\n/);
  await call("update_task_status", { project: "p", task: "1", status: "pending" });
  await claim("ana");
  now.time = "2026-03-02T12:00:00Z";
  assert.equal((await call<{ hint?: string }>("update_task", { ...change, owner: "cy" })).hint, undefined);
});

test("an owner without a claim holds nothing against a write", async (t) => {
  const { call } = await serve(t, { "p/tasks/001-a.md": `---\nowner: ana\n---\n${body("in-progress")}` });
  const due = { project: "p", task: "1", due: "2026-04-01", agent: "bo" };
  assert.equal((await call<{ hint?: string }>("update_task", due)).hint, undefined);
  assert.equal((await call<{ hint?: string }>("update_task", { ...due, owner: "bo" })).hint, undefined);
});

test("the board is told nothing about claims, and may give away any task", async (t) => {
  const held = `---\nowner: bo\nclaimed_until: 2999-01-01\n---\n${body("in-progress")}`;
  const { call } = await connect(t, makeWorkspace(t, { "p/tasks/001-a.md": held }), PERSON);
  const task = { project: "p", task: "1" };
  assert.equal(
    (await call<{ hint?: string }>("update_task", { ...task, due: "2026-04-01" })).hint,
    undefined,
  );
  assert.equal((await call<{ hint?: string }>("update_task", { ...task, owner: "ana" })).hint, undefined);
});
