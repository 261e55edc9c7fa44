import assert from "node:assert/strict";
import { test } from "node:test";
import { linkEdits, type Move } from "../../src/core/notes/link/rewrite.ts";
import { lookupOf } from "../../src/core/notes/link/target.ts";
import { planDrift } from "../../src/core/notes/plan/drift.ts";
import { waitingCircle } from "../../src/core/notes/task/dependencies.ts";
import { growth, PROPORTIONATE } from "../fixtures/growth.ts";
import { isNightly } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { pings } from "./pings.ts";
import { serve } from "./server.ts";

const FACTS = { bodyOffset: 0, task: { dependencies: [] } } as never;
const numbered = (at: number) => `${String(at + 1).padStart(3, "0")}-task`;
const taskText = (dependencies: readonly string[], status = "pending") =>
  `# Task: T\n\nStatus: ${status}\n\n## Context\n- Dependencies: ${dependencies.join(", ") || "none"}\n`;

/** How many times as long `work` takes for four times as many tasks. */
function growthBy(tasks: number, work: (names: readonly string[]) => unknown): number {
  const make = (length: number) => Array.from({ length }, (_, at) => numbered(at)).join(" ");
  return growth(make, (text) => work(text.split(" ")), tasks);
}

function moveOf(paths: readonly string[], newPath: Move["newPath"]): Move {
  const after = lookupOf(paths.map(newPath));
  return { before: lookupOf(paths), after, newPath, exists: () => false, isRepair: false };
}

const COSTS: Record<string, [tasks: number, work: (names: readonly string[]) => unknown]> = {
  "archiving tasks that name each other": [
    500,
    (names) => {
      const move = moveOf(
        names.map((name) => `p/tasks/${name}.md`),
        (path) => path.replace("/tasks/", "/archive/tasks/"),
      );
      for (const at of names.keys()) {
        const text = taskText(names.slice(Math.max(0, at - 3), at));
        linkEdits({ path: `p/tasks/${numbered(at)}.md`, text, facts: FACTS }, move);
      }
    },
  ],
  "renaming a task that a note with many dependencies names": [
    1_000,
    (names) => {
      const paths = names.map((name) => `p/tasks/${name}.md`);
      const move = moveOf(paths, (path) => path.replace("/001-task.md", "/001-renamed.md"));
      const [edit] = linkEdits({ path: "p/tasks/x.md", text: taskText(names), facts: FACTS }, move);
      assert.equal(edit?.text, "001-renamed");
    },
  ],
  "renaming a task that a note names again and again": [
    500,
    (names) => {
      const move = moveOf(["p/tasks/001-task.md", "p/tasks/x.md"], (path) => path.replace("-task", "-a,b"));
      const text = taskText(names.map((_, at) => `${"-".repeat(at % 7)}001-task`));
      linkEdits({ path: "p/tasks/x.md", text, facts: FACTS }, move);
    },
  ],
  "looking for a circle in a chain": [
    5_000,
    (names) => {
      const tasks = names.map((name, at) => ({
        filename: `${name}.md`,
        status: "pending",
        dependencies: [numbered((at + 1) % names.length)],
      }));
      const [first] = tasks;
      assert.equal(first && waitingCircle(first, tasks)?.length, tasks.length);
    },
  ],
  "comparing a plan with its tasks": [
    1_000,
    (names) => {
      const tasks = names.map((name) => ({ filename: `${name}.md`, number: "1", status: "done" }));
      planDrift(`## Current Status\n- Pending: ${names.join(", ")}\n`, 0, tasks);
    },
  ],
  "comparing a plan with tasks that share a number": [
    1_000,
    (names) => {
      const tasks = names.map((_, at) => ({ filename: `001-${at}.md`, number: "1", status: "done" }));
      planDrift(`## Current Status\n- Pending: ${names.map((_, at) => `001-x${at}`).join(", ")}\n`, 0, tasks);
    },
  ],
};

for (const [what, [tasks, work]] of Object.entries(COSTS)) {
  test(`${what} takes time in proportion to their number`, () => {
    const times = growthBy(tasks, work);
    assert.ok(times < PROPORTIONATE, `${times.toFixed(1)} times as long for four times as many`);
  });
}

const TASKS = isNightly ? 1_000 : 300;
/** On an idle machine a call waits far less than a tenth of that. */
const MOST_WAIT_MS = 1_000;

test("most of many tasks, named one by one, are archived while other calls are answered", async (t) => {
  const names = Array.from({ length: TASKS }, (_, at) => numbered(at));
  const files = names.map((name, at) => {
    const status = at < 0.9 * TASKS ? "done" : "pending";
    return [`p/tasks/${name}.md`, taskText(names.slice(Math.max(0, at - 3), at), status)];
  });
  const server = await serve(t, makeWorkspace(t, { ...Object.fromEntries(files), "p/status.md": "# P\n" }));
  await server.call("list_tasks", { project: "p", limit: 1 });
  const waits: number[] = [];
  for (const restore of [false, true, false]) {
    const call = server.call<{ total: number }>("archive_tasks", {
      project: "p",
      tasks: names.slice(0, 0.9 * TASKS),
      restore,
    });
    waits.push((await pings(server, call)).longest);
    assert.equal((await call).total, 0.9 * TASKS);
    if (Math.min(...waits) < MOST_WAIT_MS) return;
  }
  assert.fail(`a call waited ${Math.round(Math.min(...waits))} ms`);
});

test("a briefing of thousands of tasks that wait for each other lets other calls in", async (t) => {
  const files = Array.from({ length: 3_000 }, (_, at) => [
    `p/tasks/${numbered(at)}.md`,
    taskText(at === 0 ? [] : [numbered(at - 1)]),
  ]);
  const server = await serve(t, makeWorkspace(t, Object.fromEntries(files)));
  const call = server.call<{ text: string }>("get_briefing", { project: "p" });
  const { count } = await pings(server, call);
  assert.match((await call).text, /3000 pending/);
  assert.ok(count >= 5, `${count} other calls were answered meanwhile`);
});
