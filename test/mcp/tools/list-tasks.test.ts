import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { claimTaskTool } from "../../../src/core/mcp/tools/claim-task.ts";
import type { createTaskTool } from "../../../src/core/mcp/tools/create-task.ts";
import type { listTasksTool } from "../../../src/core/mcp/tools/list-tasks.ts";
import { connect, dateFile, makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

const task = (title: string, status: string, dependencies = "") =>
  `# Task: ${title}\n\nStatus: ${status}\n\n## Objective\nDo ${title}.\n\n## Context\n- Dependencies: ${dependencies}\n\n## Steps\n1. [x] One\n2. [ ] Two\n`;

const FILES = {
  "a/tasks/001-base.md": task("Base", "done"),
  "a/tasks/002-next.md": `---\ntags: [x]\nowner: max\n---\n${task("Next", "pending", "001-base")}`,
  "a/tasks/003-later.md": task("Later", "pending", "002-next, 009-missing"),
  "a/tasks/004-now.md": task("Now", "In Progress"),
  "a/tasks/no-number.md": "# Loose\n\nStatus: someday\n",
  "a/plans/execution-plan.md": "# Plan",
  "b/tasks/001-other.md": task("Other", "blocked"),
};

type Answer = ToolAnswer<typeof listTasksTool>;

test("list_tasks gives the tasks of one project in the shape of the specification", async (t) => {
  const root = makeWorkspace(t, FILES);
  dateFile(root, "a/tasks/002-next.md", "2025-02-09T00:00:00Z");
  const { call } = await connect(t, root);
  const answer: Answer = await call("list_tasks", { project: "a", status: "pending" });
  assert.deepEqual([answer.project, answer.filter, answer.total], ["a", { status: "pending" }, 2]);
  assert.deepEqual(answer.tasks[0], {
    project: "a",
    path: "a/tasks/002-next.md",
    filename: "002-next.md",
    number: "002",
    title: "Next",
    status: "pending",
    updated: "2025-02-09",
    owner: "max",
    tags: ["x"],
    objective: "Do Next.",
    progress: { done: 1, total: 2 },
    dependencies: ["001-base"],
    open_dependencies: [],
    ready: true,
  });
  assert.equal(answer.tasks[1]?.ready, false);
  assert.deepEqual(answer.tasks[1]?.open_dependencies, ["002-next", "009-missing"]);
  assert.deepEqual(answer.tasks[1]?.missing_dependencies, ["009-missing"]);
});

test("without a project all tasks are listed, with unknown statuses unchanged", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const answer: Answer = await call("list_tasks");
  assert.deepEqual([answer.project, answer.total], [null, 6]);
  assert.deepEqual(
    answer.tasks.map(({ path, status }) => [path, status]),
    [
      ["a/tasks/004-now.md", "in-progress"],
      ["b/tasks/001-other.md", "blocked"],
      ["a/tasks/002-next.md", "pending"],
      ["a/tasks/003-later.md", "pending"],
      ["a/tasks/no-number.md", "someday"],
      ["a/tasks/001-base.md", "done"],
    ],
  );
});

test("ready lists what can be started now", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const { tasks, filter }: Answer = await call("list_tasks", { ready: true });
  assert.deepEqual(filter, { status: null, ready: true });
  assert.deepEqual(
    tasks.map(({ path }) => path),
    ["a/tasks/002-next.md"],
  );
});

test("limit and offset select a page, total includes all tasks, content is optional", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const page = (offset: number): Promise<Answer> =>
    call("list_tasks", { limit: 2, offset, include_content: true });
  const { tasks, total, next_offset } = await page(3);
  assert.deepEqual([total, next_offset], [6, 5]);
  assert.deepEqual(
    tasks.map(({ filename }) => filename),
    ["003-later.md", "no-number.md"],
  );
  assert.equal(tasks[1]?.content, "# Loose\n\nStatus: someday\n");
  for (const offset of [4, 5, 6, 100]) {
    const last = await page(offset);
    assert.deepEqual(
      [last.total, "next_offset" in last, last.tasks.length],
      [6, false, Math.max(0, 6 - offset)],
    );
  }
});

test("open tasks come by number, done ones with the latest first, whatever the width of their numbers", async (t) => {
  const files = ["1-a", "02-b", "10-c", "9-d", "unnumbered", "1000-e"].map((name) => [
    `p/tasks/${name}.md`,
    task(name, "pending"),
  ]);
  const done = ["2026-01-02", "2026-01-03", "2026-01-03", "2025-12-31"].map((updated, at) => [
    `p/tasks/${20 + at}-done.md`,
    `---\nupdated: ${updated}\n---\n${task("Done", "done")}`,
  ]);
  const { call } = await connect(t, makeWorkspace(t, Object.fromEntries([...done, ...files])));
  const { tasks }: Answer = await call("list_tasks", { project: "p" });
  assert.deepEqual(
    tasks.map(({ filename = "" }) => filename.replace(/-.*|\.md$/, "")),
    ["1", "02", "9", "10", "1000", "unnumbered", "22", "21", "20", "23"],
  );
});

for (const { most, limit, page } of [
  { most: 8_000, limit: undefined, page: 50 },
  { most: 40_000, limit: 500, page: 500 },
])
  test(`500 tasks come in pages of ${most} characters that leave none out, and say how to go on`, async (t) => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`p/tasks/${at + 1}-x.md`, task(`Title ${at}`, "pending")]),
    );
    const { call } = await connect(t, makeWorkspace(t, files));
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const answer: Answer = await call("list_tasks", { project: "p", limit, offset });
      const { length } = JSON.stringify(answer);
      assert.ok(length <= most, `${length}`);
      assert.equal(answer.total, 500);
      const isShort = answer.tasks.length < Math.min(page, 500 - seen.length);
      if (isShort) assert.ok(length > most * 0.9, `${length}`);
      seen.push(...answer.tasks.map(({ path }) => path));
      assert.equal(answer.next_offset, seen.length < 500 ? seen.length : undefined);
      assert.equal(answer.shortened?.includes(`offset ${answer.next_offset} `) ?? false, isShort);
      const isWhole = (page === 50 || length < 30_000) && !answer.shortened?.includes("without");
      assert.equal(answer.tasks[0]?.objective !== undefined, isWhole);
      offset = answer.next_offset;
    }
    assert.deepEqual(seen, Object.keys(files));
  });

test("as many short tasks as are asked for are listed, with less of each where that is needed", async (t) => {
  const paths = Array.from({ length: 200 }, (_, at) => `p/tasks/${at + 1}-short-task.md`);
  const root = makeWorkspace(t, Object.fromEntries(paths.map((path) => [path, task("Short", "pending")])));
  const { call } = await connect(t, root);
  const alone = await connect(t, root, { tools: "list_tasks" });
  assert.doesNotMatch((await alone.call<Answer>("list_tasks", { limit: 200 })).shortened ?? "", /read_doc/);
  let whole: string[] = [];
  for (const limit of [1, 60, 170, 200]) {
    const { tasks, next_offset, shortened }: Answer = await call("list_tasks", { limit });
    assert.deepEqual([tasks.length, next_offset], [limit, limit === 200 ? undefined : limit]);
    const fields = Object.keys(tasks.at(-1) ?? {});
    if (limit === 1) whole = fields;
    const gone = whole.filter((field) => !fields.includes(field));
    assert.equal(gone.length > 0, limit > 60);
    assert.equal(shortened === undefined, gone.length === 0);
    for (const field of gone) assert.ok(shortened?.includes(field));
    for (const kept of ["path", "number", "title", "status", "ready"]) assert.ok(fields.includes(kept));
  }
});

test("a page has at least one task, and with content at most 40,000 characters of several", async (t) => {
  const long = task("Long", "pending") + "x".repeat(50_000);
  const short = task("Short", "blocked") + "x".repeat(15_000);
  const files = {
    "p/tasks/1-a.md": short,
    "p/tasks/2-b.md": short,
    "p/tasks/3-c.md": long,
    "p/tasks/4-d.md": "# D\n",
  };
  const { call } = await connect(t, makeWorkspace(t, files));
  const lengths: number[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { tasks, next_offset }: Answer = await call("list_tasks", { include_content: true, offset });
    assert.ok(tasks.length > 0);
    lengths.push(tasks.length);
    offset = next_offset;
  }
  assert.deepEqual(lengths, [2, 1, 1]);
  const { tasks }: Answer = await call("list_tasks", { include_content: true, limit: 3 });
  assert.deepEqual([tasks.length, tasks[0]?.objective], [2, "Do Short."]);
});

test("an invalid status is refused, and the error lists the valid ones", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, FILES));
  assert.equal((await fail("list_tasks", { status: "on fire" })).code, "INVALID_STATUS");
  assert.equal((await fail("list_tasks", { project: "c" })).code, "PROJECT_NOT_FOUND");
});

test("an unknown project lists the first projects and the number of the others", async (t) => {
  const names = Array.from({ length: 25 }, (_, at) => `p${10 + at}`);
  const { fail } = await connect(
    t,
    makeWorkspace(t, Object.fromEntries(names.map((name) => [`${name}/`, ""]))),
  );
  const { code, message } = await fail("list_tasks", { project: "unlike" });
  assert.equal(code, "PROJECT_NOT_FOUND");
  assert.ok(message.includes(`Known projects: ${names.slice(0, 20).join(", ")} and 5 more.`), message);
});

test("open tasks are ordered by hand, then overdue ones come, then by priority, due date and number; a lapsed claim makes a task ready again", async (t) => {
  const of = (fields: string, status = "pending") => `---\n${fields}\n---\n# Task: T\n\nStatus: ${status}\n`;
  const root = makeWorkspace(t, {
    "p/tasks/001-low.md": of("priority: low\ndue: 2026-01-01"),
    "p/tasks/002-plain.md": of("title: T"),
    "p/tasks/003-due.md": of("priority: MEDIUM\ndue: 2026-03-02"),
    "p/tasks/004-high.md": of("priority: high\ntags: Api"),
    "p/tasks/005-held.md": of("owner: Ana\nclaimed_until: 2026-03-01T12:01Z", "in-progress"),
    "p/tasks/006-lapsed.md": of("owner: ben\nclaimed_until: 2026-03-01T11:59Z", "in-progress"),
    "p/tasks/007-unclear.md": of("priority: sometime\ndue: soon\nclaimed_until: later"),
    "p/tasks/008-by-hand.md": of("owner: ana\nclaimed_until: 2026-03-01"),
    "p/tasks/009-done.md": of("priority: high", "done"),
    "p/tasks/010-second.md": of("order: 1.5\npriority: low"),
    "p/tasks/011-first.md": of("Orden: -2"),
    "p/tasks/012-unread.md": of("order: soon\npriority: low"),
    "p/tasks/013-working.md": of("order: 1\npriority: low", "in-progress"),
    "p/tasks/014-done.md": of("order: 1", "done"),
  });
  const { call } = await connect(t, root, { clock: { now: () => new Date("2026-03-01T12:00:00Z") } });
  const numbers = async (args: object): Promise<string> => {
    const { tasks }: Answer = await call("list_tasks", { project: "p", ...args });
    return tasks.map(({ number }) => Number(number)).join();
  };
  assert.equal(await numbers({}), "13,5,6,11,10,1,4,3,2,7,12,8,14,9");
  assert.equal(await numbers({ ready: true }), "6,11,10,1,4,3,2,7,12");
  assert.equal(await numbers({ owner: "ANA" }), "5,8");
  assert.equal(await numbers({ tag: "API" }), "4");
  assert.equal(await numbers({ priority: "medium" }), "3");
  const { tasks, filter }: Answer = await call("list_tasks", { owner: "ana", tag: undefined });
  assert.deepEqual(filter, { status: null, owner: "ana" });
  const [held] = tasks;
  assert.deepEqual(
    [held?.claimed_until, held?.priority, held?.due],
    ["2026-03-01T12:01Z", undefined, undefined],
  );
  const all = (await call<Answer>("list_tasks")).tasks;
  const found = (number: string) => all.find((task) => task.number === number);
  assert.deepEqual([found("011")?.order, found("012")?.order], [-2, undefined]);
  assert.deepEqual(
    [found("001")?.overdue, found("003")?.overdue, found("009")?.overdue],
    [true, undefined, undefined],
  );
  assert.deepEqual(found("012")?.unread, ["order: soon is not read; write a number"]);
  const unclear = found("007");
  assert.deepEqual(
    [unclear?.priority, unclear?.due, unclear?.claimed_until],
    [undefined, undefined, undefined],
  );
});

test("briefing, list_tasks and claim_task name the same next task", async (t) => {
  const pending = (fields = "") => `---\nstatus: pending\n${fields}---\n# Task: T\n\n## Steps\n1. [ ] a\n`;
  const projects: Record<string, [first: string, second: string]> = {
    overdue: [pending("due: 2026-02-01\n"), pending("priority: high\n")],
    "overdue, of low priority": [pending("due: 2026-02-01\npriority: low\n"), pending()],
    "by hand": [pending("order: 1\n"), pending("due: 2026-02-01\n")],
    "by number": [pending(), pending()],
    free: [pending("priority: low\n"), pending("owner: ana\n")],
    "not waiting": [pending(), pending("priority: high\norder: 1\ndependencies: [1]\n")],
    "of a claim that ran out": [
      pending("owner: ben\nclaimed_until: 2026-02-28\n").replace("pending", "in-progress"),
      pending("order: 1\n"),
    ],
  };
  const files = Object.entries(projects).flatMap(([project, [first, second]]) => [
    [`${project}/tasks/001-first.md`, first],
    [`${project}/tasks/002-second.md`, second],
  ]);
  const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
  const { call } = await connect(t, makeWorkspace(t, Object.fromEntries(files)), { clock });
  for (const project of Object.keys(projects)) {
    const { text } = await call<{ text: string }>("get_briefing", { project });
    const [, said] = /(?:Start|Continue) (\d+)/.exec(text) ?? [];
    const [listed] = (await call<Answer>("list_tasks", { project })).tasks;
    const [ready] = (await call<Answer>("list_tasks", { project, ready: true })).tasks;
    const { task } = await call<{ task: { number: string } }>("claim_task", { project, agent: "x" });
    assert.deepEqual([said, listed?.number, ready?.number, task.number], Array(4).fill("001"), project);
  }
});

test("the tasks of the current project are listed before others", async (t) => {
  const files = { "a/tasks/001-a.md": "Status: in-progress\n", "b/tasks/001-b.md": "Status: pending\n" };
  const { call } = await connect(t, makeWorkspace(t, files), { current: "b" });
  const projects = async (args: Record<string, unknown>) =>
    (await call<Answer>("list_tasks", args)).tasks.map(({ project }) => project);
  assert.deepEqual([await projects({}), await projects({ ready: true })], [["b", "a"], ["b"]]);
});

test("each task says whether it is ready, and until when an agent holds it", async (t) => {
  const task = (status: string, fields: string) => `---\n${fields}\n---\n# A\n\nStatus: ${status}\n`;
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": task("in-progress", "owner: bo\nclaimed_until: 2026-03-01 14:30:20+0100"),
    "p/tasks/002-b.md": task("in-progress", "owner: bo\nclaimed_until: 2026-03-01T11:00Z"),
    "p/tasks/003-c.md": task("in-progress", "owner: ana"),
    "p/tasks/004-d.md": task("pending", "owner: ana"),
    "p/tasks/005-e.md": task("done", "owner: ana\nclaimed_until: 2026-03-02"),
  });
  const { call } = await connect(t, root, { clock: { now: () => new Date("2026-03-01T12:00:00Z") } });
  const { tasks }: Answer = await call("list_tasks", { project: "p" });
  assert.deepEqual(
    tasks.map(({ number, ready, held_until }) => [number, ready, held_until]),
    [
      ["001", false, "2026-03-01T13:31Z"],
      ["002", true, undefined],
      ["003", false, undefined],
      ["004", true, undefined],
      ["005", false, undefined],
    ],
  );
});

test("copies, templates, overviews and notes of a day are not handed out, and named once", async (t) => {
  const copy = "002-a.sync-conflict-20260301-101500-ABCDEFG.md";
  const root = makeWorkspace(t, {
    "p/archive/tasks/002-a.md": task("A", "done"),
    [`p/tasks/${copy}`]: task("A", "pending"),
    "p/tasks/003-b.md": task("B", "done"),
    "p/tasks/003-b 2.md": task("B", "pending", "002"),
    "p/tasks/README.md": task("How to", "pending"),
    "p/tasks/_template.md": task("Template", "pending"),
    "p/tasks/20260301-meeting.md": "# Meeting\n\nnotes\n",
    "p/tasks/2026-03-02-call.md": task("Call", "pending"),
    "p/tasks/004-c.md": task("C", "pending", "002, 003"),
  });
  const { call } = await connect(t, root);
  const answer: Answer = await call("list_tasks", { project: "p" });
  const listed = answer.tasks.map(({ number, filename, ready }) => [number ?? filename, ready]);
  assert.deepEqual(listed, [
    ["004", true],
    ["2026-03-02-call.md", false],
    ["003", false],
  ]);
  assert.deepEqual(
    [...(answer.left_out ?? [])].sort(),
    [
      `p/tasks/${copy}: a copy of 002-a.md that another program left`,
      "'p/tasks/003-b 2.md': a copy of 003-b.md that another program left",
      "p/tasks/2026-03-02-call.md: named by a day: no number, and claimed by name",
      "p/tasks/20260301-meeting.md: named by a day, without a status",
      "p/tasks/README.md: a page about the tasks",
      "p/tasks/_template.md: a template",
    ].sort(),
  );
  const { projects } = await call<{ projects: { stats: { open_tasks: number } }[] }>("list_projects");
  assert.equal(projects[0]?.stats.open_tasks, 2);
  assert.equal((await call("read_doc", { project: "p", filename: "2" })).path, "p/archive/tasks/002-a.md");
  for (const day of [10, 11, 12, 13, 14]) writeFiles(root, { [`p/tasks/202603${day}.md`]: "# Call\n" });
  const { left_out: texts } = await call<Answer>("list_tasks", { project: "p" });
  assert.deepEqual([texts?.length, texts?.at(-1)], [11, "and 1 more; `doctor` names all"]);
  const claim = async (task?: string) =>
    (await call<ToolAnswer<typeof claimTaskTool>>("claim_task", { project: "p", agent: "x", task })).task
      ?.number;
  assert.deepEqual([await claim(), await claim(), await claim("2026-03-02-call")], ["004", undefined, null]);
  const made: ToolAnswer<typeof createTaskTool> = await call("create_task", {
    project: "p",
    title: "D",
    objective: "o",
  });
  assert.equal(made.task.number, "005");
});

test("a parent goes by any name, counts its children as steps, and lists them", async (t) => {
  const fields = ["1", '"[[001-a]]"', "[[001-a.md]]", "BACK-7"].map((one) => `---\nparent: ${one}\n---\n`);
  const child = (head: string, status: string, line = "") => `${head}# Task: C\n\nStatus: ${status}\n${line}`;
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md":
      "---\nid: BACK-7\n---\n# Task: A\n\nStatus: pending\n\n## Steps\n1. [x] a\n2. [ ] b\n",
    ...Object.fromEntries(fields.map((head, at) => [`p/tasks/00${at + 2}-c.md`, child(head, "done")])),
    "p/tasks/006-c.md": child("", "pending", "Padre: 001-a\n"),
  });
  const { call } = await connect(t, root);
  const made = { project: "p", title: "D", objective: "o", steps: [], acceptance_criteria: [], parent: "1" };
  await call("create_task", made);
  assert.match(readFileSync(join(root, "p/tasks/007-d.md"), "utf8"), /^parent: '\[\[001-a\]\]'$/m);
  type Listed = { tasks: { number: string; parent?: string; progress: object }[] };
  for (const parent of ["1", "001-a", "BACK-7", "tasks/001-a.md"]) {
    const { tasks } = await call<Listed>("list_tasks", { project: "p", parent });
    assert.deepEqual(
      tasks.map(({ number, parent: above }) => [number, above]).sort(),
      [2, 3, 4, 5, 6, 7].map((number) => [`00${number}`, "001-a"]),
      parent,
    );
  }
  await call("move_doc", { path: "p/tasks/001-a.md", to_filename: "001-all" });
  await call("update_task", { project: "p", task: 6, parent: null });
  const { tasks } = await call<Listed>("list_tasks", { project: "p", status: "pending" });
  const said = tasks.map(({ number, parent = null, progress }) => [number, parent, progress]);
  assert.deepEqual(said.sort(), [
    ["001", null, { done: 5, total: 7 }],
    ["006", null, { done: 0, total: 0 }],
    ["007", "001-all", { done: 0, total: 0 }],
  ]);
});
