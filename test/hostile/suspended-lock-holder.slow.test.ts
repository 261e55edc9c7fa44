import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { lockFile, locksOf } from "../fixtures/locks.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const skip = process.platform !== "linux" && "needs SIGSTOP and /proc";
const TASK = "# Task: A\n\nStatus: pending\n\n## Objective\n\nLetters\n";
const FILES = {
  "p/tasks/001-a.md": TASK,
  "p/sessions/2026-01-01.md": "# Log\n",
  "p/plans/execution-plan.md": "one\n",
};
const PLAN_HASH = createHash("sha256").update(FILES["p/plans/execution-plan.md"]).digest("hex");
const isStopped = (pid: number) => readFileSync(`/proc/${pid}/status`, "latin1").includes("State:\tT");

interface Attack {
  tool: string;
  args: Record<string, unknown>;
  /** What the process that takes over does, to the same file or number. */
  other: Record<string, unknown>;
  path: string;
  code?: string;
}

const task = (title: string) => ({ project: "p", title, objective: "Do it" });
const vault = (find: string, replace: string) => ({ path: "p/plans/execution-plan.md", find, replace });
const plan = (content: string) => ({ project: "p", content, expected_hash: PLAN_HASH });
const status = (value: string) => ({ project: "p", task: "1", status: value });

const ATTACKS: Attack[] = [
  { tool: "update_task_status", args: status("done"), other: status("blocked"), path: "p/tasks/001-a.md" },
  { tool: "create_task", args: task("Mine"), other: task("Theirs"), path: "p/tasks/002-theirs.md" },
  { tool: "create_plan", args: plan("mine\n"), other: plan("theirs\n"), path: "p/plans/execution-plan.md" },
  {
    tool: "vault_replace",
    args: vault("one", "mine"),
    other: vault("one", "theirs"),
    path: "p/plans/execution-plan.md",
    code: "conflict",
  },
];

const CASES = ATTACKS.flatMap((attack) => ["stage", "name"].map((point) => ({ ...attack, point })));

for (const { tool, args, other, path, code = "CONFLICT", point } of someOf(CASES)) {
  test(`a server that sleeps in ${tool} (${point}) until another has written says so and writes nothing`, {
    skip,
  }, async (t) => {
    const root = makeWorkspace(t, FILES);
    const tasks = () => readdirSync(join(root, "p", "tasks")).filter((name) => name.endsWith(".md"));
    const sleeper = await serve(t, root, {
      env: { NODE_OPTIONS: `--require ${resolve("test/hostile/stop.cjs")}`, STOP: point },
    });
    const awake = await serve(t, root);
    const answer = sleeper.fail(tool, args);
    while (!isStopped(sleeper.pid)) await turn();
    // As if it had slept for hours.
    utimesSync(lockFile(root), 1, 1);
    await awake.call(tool, other);
    const [text, names] = [readFileSync(join(root, path), "utf8"), tasks()];
    process.kill(sleeper.pid, "SIGCONT");
    assert.equal((await answer).code, code);
    assert.equal(readFileSync(join(root, path), "utf8"), text);
    assert.deepEqual(tasks(), names);
    assert.deepEqual(locksOf(root), []);
    // Awake again, it writes as ever.
    await sleeper.call("log_session", { project: "p", content: "awake" });
  });
}
