import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
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

test("get_plan gives the plan with its overview and counts", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "vibeMCP/plans/execution-plan.md": PLAN }));
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
      blocked: 0,
    },
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
  const { exists, content } = await call("get_plan", { project: "p", filename: "next" });
  assert.deepEqual([exists, content], [true, "# Next\n"]);
});
