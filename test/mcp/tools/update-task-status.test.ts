import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { updateTaskStatusTool } from "../../../src/core/mcp/tools/update-task-status.ts";
import { LANGUAGES, listOf } from "../../../src/core/notes/words/languages.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof updateTaskStatusTool>;

test("update_task_status changes the status line, and the status in frontmatter if there is one", async (t) => {
  const text =
    "---\nstatus: pending # now\n---\n# Task: A\n\n```\nStatus: fake\n```\n\nStatus: pending\n\nStatus: pending\n";
  const root = makeWorkspace(t, { "p/tasks/004-a.md": text, "p/tasks/005-b.md": "# Task: B\n\nText.\n" });
  const { call } = await connect(t, root);
  const answer = await call("update_task_status", { project: "p", task: "4", status: "in-progress" });
  assert.deepEqual(answer, {
    success: true,
    task: {
      filename: "004-a.md",
      path: "p/tasks/004-a.md",
      previous_status: "pending",
      new_status: "in-progress",
    },
    indexed: true,
  });
  const expected = text
    .replace("status: pending # now", "status: in-progress # now")
    .replace("\n\nStatus: pending", "\n\nStatus: in-progress");
  assert.equal(readFileSync(join(root, "p/tasks/004-a.md"), "utf8"), expected);
  await call("update_task_status", { project: "p", task: "005-b", status: "done" });
  assert.equal(readFileSync(join(root, "p/tasks/005-b.md"), "utf8"), "# Task: B\n\nStatus: done\n\nText.\n");
});

test("a missing task and an ambiguous number are explained", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/004-a.md": "x", "p/tasks/04-b.md": "x", "p/tasks/007-c.md": "x" });
  const { fail } = await connect(t, root);
  const twice = await fail("update_task_status", { project: "p", task: "4", status: "done" });
  assert.match(twice.message, /'4' may be p\/tasks\/004-a\.md, p\/tasks\/04-b\.md\./);
  const missing = await fail("update_task_status", { project: "p", task: "007-d", status: "done" });
  assert.deepEqual([missing.code, missing.details.suggestions], ["FILE_NOT_FOUND", ["007-c.md"]]);
  assert.equal(
    (await fail("update_task_status", { project: "p", task: "7", status: "on fire" })).code,
    "INVALID_STATUS",
  );
});

test("a status is taken in every word that notes may use, and a misspelt one leads to its meaning", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/004-a.md": "# Task: A\n" });
  const { call, fail } = await connect(t, root, { current: "p" });
  const all = Object.values(LANGUAGES).flatMap(({ statuses }) => Object.entries(statuses));
  for (const [status, words] of all)
    for (const word of listOf(words)) {
      const { task } = await call<Answer>("update_task_status", { task: "4", status: `✅ ${word}` });
      assert.equal(task.new_status, status, word);
    }
  const misspelt: [status: string, suggested: string[]][] = [
    ["doign", ["in-progress"]],
    ["complet", ["done"]],
    ["on fire", []],
  ];
  for (const [status, suggested] of misspelt) {
    const { code, details } = await fail("update_task_status", { task: "4", status });
    assert.deepEqual([code, details.suggestions], ["INVALID_STATUS", suggested]);
  }
});

test("UTF-16 documents are found and read, but never rewritten", async (t) => {
  const text = "\uFEFF# Tasmanian\n\nThe thylacine, フクロオオカミ.\n\nStatus: pending\n";
  const little = Buffer.from(text, "utf16le");
  const files = { "p/tasks/001-le.md": little, "p/tasks/002-be.md": Buffer.from(little).swap16() };
  const root = makeWorkspace(t, files);
  const { call, fail } = await connect(t, root);
  for (const query of ["thylacine", "オオカミ"])
    assert.equal((await call("search", { query }))["total_matches"], 2);
  for (const [path, bytes] of Object.entries(files)) {
    const filename = path.slice("p/tasks/".length);
    assert.equal((await call("read_doc", { project: "p", folder: "tasks", filename }))["content"], text);
    const { code, message } = await fail("update_task_status", {
      project: "p",
      task: filename,
      status: "done",
    });
    assert.equal(code, "CONFLICT");
    assert.match(message, /UTF-8/);
    assert.deepEqual(readFileSync(join(root, path)), bytes);
  }
});

test("a task goes by its number, name or path", async (t) => {
  const root = makeWorkspace(t, {
    "My p/tasks/003-a.md": "# Task: A\n\nStatus: done\n",
    "My p/tasks/13-b.md": "x",
  });
  const { call, fail } = await connect(t, root);
  const names = [
    3,
    "3",
    "003",
    " #3 ",
    "003-a",
    "003-a.md",
    "tasks/003-a.md",
    "tasks/3",
    "my p/tasks/003-a.md",
  ];
  for (const [at, task] of names.entries()) {
    const status = at % 2 === 0 ? "pending" : "blocked";
    const answer = await call<Answer>("update_task_status", { project: "my p", task, status });
    assert.equal(answer.task.path, "My p/tasks/003-a.md", String(task));
  }
  for (const task of [3.5, -3, "q/tasks/003-a.md", "003-", "../p/tasks/003-a.md", ""]) {
    const { code } = await fail("update_task_status", { project: "My p", task, status: "done" });
    const isPath = task !== "" && !String(task).startsWith("..");
    assert.equal(code, isPath ? "FILE_NOT_FOUND" : "INVALID_PATH", String(task));
  }
  for (const task of [undefined, null, true, [3], {}])
    assert.equal(
      (await fail("update_task_status", { project: "My p", task, status: "done" })).code,
      "INVALID_ARGUMENT",
    );
});

test("a task that is done says which tasks became ready", async (t) => {
  const waiting = (...on: string[]) =>
    `# Task: Wait\n\nStatus: pending\n\n## Context\n- Dependencies: ${on.join(", ")}\n`;
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "# Task: B\n\nStatus: done\n",
    "p/tasks/003-both.md": waiting("001-a", "2"),
    "p/tasks/004-open.md": waiting("001", "003"),
    "p/tasks/005-blocked.md": waiting("001").replace("pending", "blocked"),
    "p/tasks/006-free.md": waiting("002"),
    "p/tasks/last.md": waiting("#1"),
    "q/tasks/001-x.md": waiting("001"),
  });
  const { call } = await connect(t, root);
  const set = (status: string) => call<Answer>("update_task_status", { project: "p", task: 1, status });
  assert.deepEqual((await set("in-progress")).unblocked, undefined);
  assert.deepEqual((await set("done")).unblocked, [
    { number: "003", title: "Wait", path: "p/tasks/003-both.md" },
    { number: null, title: "Wait", path: "p/tasks/last.md" },
  ]);
  const again = await set("done");
  assert.deepEqual(
    [again.unblocked, again.task.previous_status, again.task.new_status],
    [undefined, "done", "done"],
  );
  assertTells(again.hint, ["already done", "nothing"]);
  assert.equal((await set("pending")).hint, undefined);
});

test("a cancelled task is closed: what waits for it can start, nobody claims it, and counts show it apart", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "# Task: B\n\nStatus: pending\n\n## Context\n- Dependencies: 001\n",
  });
  const { call, fail } = await connect(t, root);
  const { unblocked } = await call<Answer>("update_task_status", {
    project: "p",
    task: 1,
    status: "cancelled",
  });
  assert.deepEqual(
    unblocked?.map(({ number }) => number),
    ["002"],
  );
  const claim = await fail("claim_task", { project: "p", task: 1, agent: "a" });
  assert.equal(claim.code, "CONFLICT");
  assertTells(claim.message, ["cancelled", "reopen"]);
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /Open tasks:\*\* 1 [\s\S]*Done tasks:\*\* 0\n- \*\*Cancelled tasks:\*\* 1\n/);
  const again = await call<Answer>("update_task_status", { project: "p", task: 1, status: "done" });
  assert.deepEqual([again.unblocked, again.hint], [undefined, undefined]);
  const { total } = await call<{ total: number }>("archive_tasks", {
    project: "p",
    done_before: "2100-01-01",
  });
  assert.equal(total, 1);
});

test("done says first what it leaves open", async (t) => {
  const boxes = (mark: string, count: number) => `- [${mark}] a\n`.repeat(count);
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": `# A\n\n## Steps\n${boxes("x", 2)}${boxes(" ", 2)}\n## Acceptance Criteria\n${boxes(" ", 1)}`,
    "p/tasks/002-b.md": `# B\n\n## Steps\n${boxes("x", 2)}\n## Criterios de aceptación\n${boxes(" ", 30)}`,
    "p/tasks/003-c.md": `# C\n\n## Steps\n${boxes("x", 2)}`,
  });
  const { call } = await connect(t, root);
  const finish = (task: string, status = "done") =>
    call<{ open?: object; hint?: string }>("update_task_status", { project: "p", task, status });
  const left = await finish("1");
  assert.deepEqual(Object.keys(left).slice(0, 2), ["success", "open"]);
  assert.deepEqual(left.open, { steps: 2, criteria: 1 });
  assertTells(left.hint, ["2 open steps", "3, 4", "1 open criterion", "1"]);
  const { open, hint } = await finish("2");
  assert.deepEqual(open, { steps: 0, criteria: 30 });
  assert.match(hint ?? "", /30 open criteria \(1, 2, .*, 20 and 10 more\)/);
  for (const [task, status] of [
    ["3", "done"],
    ["1", "pending"],
  ] as const) {
    const { open, hint } = await finish(task, status);
    assert.deepEqual([open, hint], [undefined, undefined]);
  }
});

test("review waits for a person: it ends the claim, keeps the owner, and blocks what comes after", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "# Task: B\n\nStatus: pending\n\n## Context\n- Dependencies: 001\n",
  });
  const { call } = await connect(t, root);
  await call("claim_task", { project: "p", agent: "cora", task: "1" });
  const reviewed = await call("update_task_status", {
    project: "p",
    task: "1",
    status: "review",
    agent: "cora",
  });
  assert.equal(reviewed["unblocked"], undefined);
  const text = readFileSync(join(root, "p/tasks/001-a.md"), "utf8");
  assert.match(text, /^owner: cora$/m);
  assert.doesNotMatch(text, /claimed_until/);
  assert.match(text, /^Status: review$/m);
  const none = await call("claim_task", { project: "p", agent: "dan" });
  assert.equal(none["task"], null);
  assertTells(String(none["reason"]), ["001", "review", "002", "waits", "001"]);
  const { projects } = (await call("list_projects")) as { projects: { stats: Record<string, number> }[] };
  assert.deepEqual([projects[0]?.stats["open_tasks"], projects[0]?.stats["review_tasks"]], [2, 1]);
  const done = await call("update_task_status", { project: "p", task: "1", status: "done" });
  assert.equal((done as Answer).unblocked?.[0]?.path, "p/tasks/002-b.md");
});

test("whatever sets a task to done says what it leaves open", async (t) => {
  const body = "## Steps\n- [x] a\n- [ ] b\n\n## Acceptance Criteria\n- [ ] c\n";
  const task = (status: string) => `# Task: A\n\nStatus: ${status}\n\n## Objective\nO\n\n${body}`;
  const root = makeWorkspace(t, { "p/tasks/001-a.md": task("pending"), "p/references/a.md": body });
  const { call } = await connect(t, root);
  const hintOf = async (tool: string, args: Record<string, unknown>) =>
    (await call<{ hint?: string }>(tool, args)).hint ?? "";
  const update = (args: Record<string, unknown>) =>
    hintOf("update_doc", { path: "p/tasks/001-a.md", ...args });
  const told = ["1 open step", "2", "1 open criterion", "1"] as const;
  assertTells(await update({ frontmatter: { status: "done" } }), told);
  assert.equal(await update({ frontmatter: { owner: "ana" } }), "");
  await update({ frontmatter: { status: "pending" } });
  assertTells(await update({ content: task("done") }), told);
  const path = "p/tasks/002-b.md";
  assertTells(await hintOf("create_doc", { path, content: task("done") }), told);
  const lists = { steps: ["[x] a", "b"], acceptance_criteria: ["c"] };
  const created = { project: "p", title: "C", objective: "O", status: "done", ...lists };
  assertTells(await hintOf("create_task", created), told);
  assert.equal(await hintOf("create_task", { ...created, status: "pending" }), "");
  const note = { path: "p/references/a.md", frontmatter: { status: "done" } };
  assert.equal(await hintOf("update_doc", note), "");
});

test("a note alone moves nothing, and a status is set only where the one that was seen still stands", async (t) => {
  const steps = "## Steps\n- [ ] a\n";
  const file = "p/tasks/001-a.md";
  const root = makeWorkspace(t, {
    [file]: `# Task: A\n\nStatus: wip\n\n${steps}`,
    "p/tasks/002-b.md": "# B\n",
  });
  const clock = { now: () => new Date("2026-03-02T12:00:00Z") };
  const { call, fail } = await connect(t, root, { clock });
  const set = { project: "p", task: "1", agent: "ana" };
  const noted = await call<Answer>("update_task_status", { ...set, note: "Go on." });
  assert.deepEqual([noted.task.previous_status, noted.task.new_status], ["in-progress", "in-progress"]);
  const text = () => readFileSync(join(root, file), "utf8");
  assert.equal(text(), `# Task: A\n\nStatus: wip\n\n${steps}\n## Notes\n\n- 2026-03-02, ana: Go on.\n`);
  for (const args of [{}, { note: " " }, { status: null }])
    assert.match((await fail("update_task_status", { ...set, ...args })).message, /'status' is missing/);
  const before = text();
  const expected = { ...set, status: "done", note: "Approved.", expected_status: "review" };
  const { code, details } = await fail("update_task_status", expected);
  assert.deepEqual([code, details["status"], details["path"]], ["CONFLICT", "in-progress", file]);
  assert.equal(text(), before);
  await call("update_task_status", { ...expected, expected_status: "in-progress" });
  assert.match(text(), /^Status: done$/m);
  const { open, hint } = await call<Answer>("update_task_status", { ...set, note: "Well done." });
  assert.deepEqual([open, hint], [undefined, undefined], "what it leaves open was said when it was done");
  const none = await fail("update_task_status", {
    ...set,
    task: "2",
    status: "done",
    expected_status: "review",
  });
  assert.match(none.message, /has no status now/);
});

test("a note that this session just wrote is not written again, whatever the status becomes", async (t) => {
  const path = "p/tasks/001-a.md";
  const root = makeWorkspace(t, { [path]: "# Task: A\n\nStatus: pending\n" });
  const { call } = await connect(t, root);
  const set = (status: string | undefined, note: string) =>
    call<{ hint?: string }>("update_task_status", { project: "p", task: "1", status, note });
  const notes = () => readFileSync(join(root, path), "utf8").match(/^- .*/gm)?.length;
  await set("blocked", "Waits for **keys**.");
  assert.match(`${(await set("blocked", "Waits for **keys**.")).hint}`, /not added again/);
  await set("pending", "Waits for **keys**.");
  assert.equal(notes(), 1);
  assert.match(readFileSync(join(root, path), "utf8"), /^Status: pending$/m);
  await set(undefined, "Other.");
  await set(undefined, "Waits for **keys**.");
  assert.equal(notes(), 3);
});
