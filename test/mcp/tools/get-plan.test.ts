import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const PLAN = `---
updated: 2025-02-09
---
# Execution Plan — vibeMCP

## Overview
Exponer el sistema de workspaces.

## Current Status
- done: 001, 002, 003
- in-progress: 004
- pending: 5
- blocked: -

## Decisions
SQLite.
`;

const TASKS = Object.fromEntries(
  ["done", "done", "pending", "done", "blocked", "someday"].map((status, at) => [
    `vibeMCP/tasks/00${at + 1}-x.md`,
    `# Task\n\nStatus: ${status}\n`,
  ]),
);

test("get_plan gives the plan with its overview and counts, and what the tasks say", async (t) => {
  const files = { "vibeMCP/plans/execution-plan.md": PLAN, ...TASKS };
  const { call } = await connect(t, makeWorkspace(t, files));
  assert.deepEqual(await call("get_plan", { project: "vibeMCP" }), {
    project: "vibeMCP",
    filename: "execution-plan.md",
    path: "vibeMCP/plans/execution-plan.md",
    exists: true,
    metadata: { type: "plan", updated: "2025-02-09" },
    hash: createHash("sha256").update(PLAN).digest("hex").slice(0, 16),
    content: PLAN,
    parsed: {
      overview: "Exponer el sistema de workspaces.",
      task_count: 9,
      pending: 5,
      in_progress: 1,
      done: 3,
      review: 0,
      cancelled: 0,
      blocked: 0,
    },
    actual: { pending: 1, in_progress: 0, review: 0, cancelled: 0, done: 3, blocked: 1, total: 6 },
    drift: [
      "listed under done, but pending: 003",
      "listed under in-progress, but done: 004",
      "blocked, but not listed: 005",
      "pending: 5 in the plan, 1 in fact",
    ],
  });
});

test("a missing plan is an answer, a missing project an error", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, { "p/status.md": "x" }));
  assert.deepEqual(await call("get_plan", { project: "p", filename: "other" }), {
    project: "p",
    filename: "other.md",
    path: "p/plans/other.md",
    exists: false,
    metadata: null,
    hash: null,
    content: null,
    parsed: null,
    actual: { pending: 0, in_progress: 0, review: 0, cancelled: 0, done: 0, blocked: 0, total: 0 },
    drift: [],
    hint: "There is no plan 'other.md': create_plan writes one.",
  });
  assert.equal((await fail("get_plan", { project: "q" })).code, "PROJECT_NOT_FOUND");
  assert.equal((await fail("get_plan", { project: "p", filename: "../status.md" })).code, "INVALID_PATH");
});

test("a missing plan has the path that it would have, with or without .md in its name", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/plans/next.md": "# Next\n" }));
  for (const name of ["none", "none.md"]) {
    const { exists, path } = await call("get_plan", { project: "p", filename: name });
    assert.deepEqual([exists, path], [false, "p/plans/none.md"], name);
  }
  for (const filename of ["next", "next.md", "plans/next.md"]) {
    const { exists, content } = await call("get_plan", { project: "p", filename });
    assert.deepEqual([exists, content], [true, "# Next\n"], filename);
  }
});

test("a plan whose lists are not counted says why", async (t) => {
  const plans = {
    "table.md": "| status | tasks |\n|---|---|\n| done | 001 |\n",
    "boxes.md": "- [x] 001\n- [ ] 002\n",
    "headings.md": "### Done\n- 001\n",
    "prose.md": "All is well.\n",
    "empty.md": "",
  };
  const files = Object.entries(plans).map(([name, text]) => [
    `p/plans/${name}`,
    `# Plan\n\n## Current Status\n${text}`,
  ]);
  const { call } = await connect(
    t,
    makeWorkspace(t, { ...Object.fromEntries(files), "p/plans/read.md": PLAN }),
  );
  const hintOf = async (filename: string) =>
    (await call<{ hint?: string }>("get_plan", { project: "p", filename })).hint;
  for (const name of Object.keys(plans))
    assertTells((await hintOf(name)) ?? "", ["- done: 003, 004", "Current Status"]);
  assert.equal(await hintOf("read.md"), undefined);
});

test("a plan that another one superseded says so", async (t) => {
  const files = {
    "p/plans/execution-plan.md": PLAN,
    "p/plans/next.md": "---\nreplaces: execution-plan\n---\n# Next\n",
  };
  const { call } = await connect(t, makeWorkspace(t, files));
  const marks = async (args: object) =>
    (await call<{ outdated?: unknown }>("get_plan", { project: "p", ...args })).outdated;
  assert.deepEqual(await marks({}), [{ line: 1, says: "superseded by `p/plans/next.md`" }]);
  assert.equal(await marks({ filename: "next.md" }), undefined);
});
