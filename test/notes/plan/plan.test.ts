import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parsePlan } from "../../../src/core/notes/plan/plan.ts";
import { assertProportionate } from "../../fixtures/growth.ts";
import { anyText } from "../../fixtures/texts.ts";

test("a plan gives its overview and its counts", () => {
  const text = `---
type: plan
---
# Execution Plan

## Overview

Expose the workspaces.

### Why
Because.

## Current Status

- **Done:** 001, 002, 003
- **In Progress:** 004
- Pending: 5
- Blocked: -

## Later
- Done: 100
`;
  assert.deepEqual(parsePlan(text, 19), {
    overview: "Expose the workspaces.\n\n### Why\nBecause.",
    task_count: 9,
    pending: 5,
    in_progress: 1,
    review: 0,
    done: 3,
    blocked: 0,
    cancelled: 0,
  });
});

test("a plan without these sections has nothing to count", () => {
  const nothing = {
    overview: "",
    task_count: 0,
    pending: 0,
    in_progress: 0,
    review: 0,
    done: 0,
    blocked: 0,
    cancelled: 0,
  };
  assert.deepEqual(parsePlan("", 0), nothing);
  assert.deepEqual(parsePlan("# Plan\nDone: 3", 0), nothing);
});

test("the sections are read in Spanish and Japanese", () => {
  const spanish = parsePlan(
    "## Resumen\na\n## Estado actual\n- Pendiente: 2\n- En curso: 001-a, 002-b\n- Hecho: 3\n",
    0,
  );
  assert.deepEqual(spanish, {
    overview: "a",
    task_count: 7,
    pending: 2,
    in_progress: 2,
    done: 3,
    review: 0,
    blocked: 0,
    cancelled: 0,
  });
  assert.equal(parsePlan("## Visión general\na", 0).overview, "a");
  const japanese = parsePlan("## 概要\na\n## 現在の状況\n- 完了：001、002\n- 保留：なし", 0);
  assert.deepEqual(japanese, {
    overview: "a",
    task_count: 2,
    pending: 0,
    in_progress: 0,
    done: 2,
    review: 0,
    blocked: 0,
    cancelled: 0,
  });
});

const DONE_LINES: [line: string, count: number][] = [
  ["done: 3", 3],
  ["1. **Done**: 12", 12],
  ["- Done: 003", 1],
  ["- Done: 3, 4", 2],
  ["- Done: `001-a`, [002](002-b.md)", 2],
  ["- Done (2): 001, 002", 2],
  ["- Done: none", 0],
  ["- Done: 1\n- Completed: 2", 3],
  ["- Done: the vendor has not answered, ask Bo on Friday", 0],
  ["- Done: 003, but the vendor has not answered", 1],
  ["- Done 3", 0],
  ["```\nDone: 3\n```", 0],
];

for (const [line, count] of DONE_LINES) {
  test(`${JSON.stringify(line)} counts ${count} done`, () => {
    const plan = parsePlan(`## Current Status\n${line}\n`, 0);
    assert.equal(plan.done, count);
    assert.equal(plan.task_count, count);
  });
}

test("no text makes it throw, and task_count is the sum", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const plan = parsePlan(`## Current Status\nDone: 2\n${text}`, 0);
      assert.equal(plan.task_count, plan.pending + plan.in_progress + plan.done + plan.blocked);
    }),
  );
});

test("the time to read a plan grows with its length", () => {
  const read = (text: string) => parsePlan(`## Current Status\nDone: ${text}`, 0);
  assertProportionate(["a,", "(", ":", "*", "done: 1\n"], read, 100_000);
});
