import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SPEC_REQUESTS } from "../fixtures/spec-requests.ts";
import { assertTells } from "../fixtures/tells.ts";
import { writeVibeMcp } from "../fixtures/vibe-mcp-project.ts";
import { connect, makeWorkspace, writeFiles } from "../fixtures/workspace.ts";

const FILES = {
  "p/tasks/001-a.md": "---\ntags: [auth, api]\n---\n# Task: A\n\nStatus: pending\n\nThe limiter.\n",
  "p/plans/rollout.md": "# Rollout\n",
  "p/assets/d.png": "png",
  "p/assets/flow.md": "# Flow\n",
  "q/": "",
};

/** Calls that find nothing, and what their answers name. */
const NOTHING: [tool: string, args: Record<string, unknown>, named: RegExp][] = [
  ["search", { query: "limiter", tag: "urgent" }, /No document has the tag 'urgent'; tags are api, auth\./],
  ["search", { query: "x", project: "q", tag: "urgent" }, /there are no tags/],
  ["get_plan", { project: "p" }, /There is no plan 'execution-plan\.md': the project has rollout\.md\./],
  ["get_plan", { project: "q" }, /create_plan writes one/],
  [
    "history",
    { path: "p/tasks/001-b.md" },
    /Nothing is recorded of 'p\/tasks\/001-b\.md': did you mean '?p\/tasks\/001-new\.md/,
  ],
];

test("an answer that finds nothing names what exists", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  await call("create_doc", { project: "p", folder: "tasks", filename: "001-new.md", content: "x\n" });
  for (const [tool, args, named] of NOTHING) {
    const { hint = "", missing_words } = await call<{ hint?: string; missing_words?: string[] }>(tool, args);
    assert.match(hint, named);
    assert.equal(missing_words, undefined);
  }
});

test("each request that the specification prints is answered, with each default that it names, too", async (t) => {
  const root = makeWorkspace(t, {});
  writeVibeMcp(root);
  // A line of dots is refused where it stands for sections.
  writeFiles(root, { "vibeMCP/plans/execution-plan.md": "# Execution Plan\n" });
  const { call } = await connect(t, root);
  for (const { tool, args, answers, defaults = {} } of SPEC_REQUESTS) {
    const named = Object.entries(defaults).map(([name, value]) => ({ ...args, [name]: value }));
    for (const given of [args, ...named]) {
      const answer = await call(tool, given).catch((error) =>
        assert.fail(`${tool} ${JSON.stringify(given)}: ${error}`),
      );
      for (const field of answers.split(" ")) assert.ok(field in answer, `${tool}: ${field}`);
    }
  }
});

test("pages of projects and files say where the next one starts, and list what is counted", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const first = await call("list_projects", { limit: 1 });
  const second = await call("list_projects", { limit: 1, offset: first["next_offset"] });
  assert.deepEqual([first["next_offset"], second["next_offset"]], [1, undefined]);
  const files = await call("list_projects", { project: "p", limit: 1 });
  assert.deepEqual([files["next_offset"], files["totals"]], [1, { assets: 2 }]);
  const rest = await call("list_projects", { project: "p", limit: 1, offset: 1 });
  const names = Object.entries(rest["folders"] as Record<string, { filename: string }[]>).map(
    ([folder, all]) => [folder, ...all.map(({ filename }) => filename)],
  );
  assert.deepEqual([names, rest["next_offset"]], [[["assets", "flow.md"]], undefined]);
});

test("what answers print, tools that name documents accept", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { call, fail } = await connect(t, root);
  const path = "p/tasks/001-a.md";
  const spellings = [
    { path: join(root, path) },
    { path: join(realpathSync(root), path) },
    { path: "vibe://projects/p/tasks/001-a.md" },
    { path: `${path}#Steps` },
    { path: `/${path}` },
    { path: "P/Tasks/001-a.md" },
    { project: "p", folder: "tasks/", filename: "001-a" },
    { project: "p", folder: "TASKS", filename: "001-a.md" },
    { project: "P", folder: "tasks", filename: "tasks/001-a.md" },
  ];
  for (const name of spellings) {
    assert.equal((await call("read_doc", name))["path"], path, JSON.stringify(name));
    assert.equal((await call("update_doc", { ...name, frontmatter: { tags: ["x"] } }))["path"], path);
    const move = await call("move_doc", { ...name, to_folder: "References/", dry_run: true });
    assert.equal(move["path"], "p/references/001-a.md");
  }
  for (const folder of ["tasks/", "Tasks"]) {
    assert.equal((await call("search", { query: "limiter", project: "p", folder }))["total_matches"], 1);
    assert.deepEqual(
      Object.keys((await call("list_projects", { project: "p", folder }))["folders"] as object),
      ["tasks"],
    );
  }
  const image = await fail("read_doc", { path: "p/assets/d.png" });
  assertTells(image.message, ["vault_read"]);
  const outside = await fail("read_doc", { path: join(root, "..", "secret.md") });
  assert.equal(outside.code, "PROJECT_NOT_FOUND");
});

test("a new document goes where its name says, in whatever form", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  const cases: [Record<string, unknown>, string][] = [
    [{ path: "p/references/a.md" }, "p/references/a.md"],
    [{ project: "p", folder: "references", filename: "references/b.md" }, "p/references/b.md"],
    [{ project: "p", folder: "References/", filename: "c" }, "p/references/c.md"],
    [{ project: "p", folder: "", filename: "notes.md" }, "p/notes.md"],
    [{ project: "p", filename: "references/d.md" }, "p/references/d.md"],
    [{ project: "p", folder: "references", filename: "deep/e.md" }, "p/references/deep/e.md"],
  ];
  for (const [name, path] of cases)
    assert.equal((await call("create_doc", { ...name, content: "x" }))["path"], path);
  for (const name of [{}, { project: "p" }, { project: "p", filename: "x.md" }])
    assert.equal((await fail("create_doc", { ...name, content: "x" })).code, "INVALID_ARGUMENT");
});

test("the holder of a task changes its text under its own name", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  await call("claim_task", { project: "p", task: 1, agent: "ada" });
  const edit = { path: "p/tasks/001-a.md", content: "- note", section: "Notes" };
  await call("update_doc", { path: edit.path, content: "# Task: A\n\nStatus: in-progress\n\n## Notes\n" });
  const mine = await call<{ hint?: string }>("update_doc", { ...edit, agent: "ada" });
  const other = await call<{ hint?: string }>("update_doc", { ...edit, content: "- more" });
  assert.deepEqual([mine.hint, /ada/.test(other.hint ?? "")], [undefined, true]);
});

test("an answer that leaves two tasks with one number, or tasks in a circle, says so", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const hintOf = async (tool: string, args: Record<string, unknown>) =>
    (await call<{ hint?: string }>(tool, { project: "p", ...args })).hint ?? "";
  const content = "# Task: B\n\nStatus: pending\n\n## Objective\nIt.\n";
  assertTells(await hintOf("create_doc", { folder: "tasks", filename: "001-b.md", content }), [
    "001",
    "001-a.md",
  ]);
  const next = { title: "C", objective: "x" };
  assert.equal(await hintOf("create_task", { ...next, context: { dependencies: ["001-b"] } }), "");
  await call("update_task_status", { project: "p", task: "002", status: "done" });
  const { moved, change } = await call<{ moved: string[]; change: string }>("archive_tasks", {
    project: "p",
    tasks: ["002"],
  });
  const path = moved[0]?.replace("archive/", "") ?? "";
  const { hint: again = "" } = await call<{ hint?: string }>("restore_doc", { path, change });
  assert.match(again, /002 .*also .*p\/archive\/tasks\/002-c\.md/);
  await call("update_task", { project: "p", task: "001-b.md", dependencies: ["3"] });
  assertTells(await hintOf("create_task", { ...next, context: { dependencies: ["001-b"] } }), [
    "003",
    "001",
    "003",
  ]);
});
