import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { type DemoFile, demoFiles } from "../../../../src/cli/commands/demo/files.ts";
import { fold } from "../../../../src/core/lib/text.ts";

const files = demoFiles(new Date(2025, 2, 5, 0, 30));
const statuses = ["pending", "in-progress", "done", "blocked"];

interface DemoTask {
  name: string;
  number: string;
  title: string;
  status: string;
  dependencies: string[];
  steps: string[];
  content: string;
}

function contentOf(path: string): string {
  const found = files.find((file) => file.path === path);
  assert.ok(found, `${path} is missing`);
  return found.content;
}

function section(content: string, heading: string): string {
  const rest = content.split(`\n## ${heading}\n`)[1];
  assert.ok(rest !== undefined, `no section ${heading} in:\n${content}`);
  return rest.split("\n## ")[0] ?? "";
}

function parseTask(file: DemoFile): DemoTask {
  const name = file.path.split("/")[2]?.replace(/\.md$/, "") ?? "";
  const body = /^(?:---\n[\s\S]*?\n---\n)?# Task: (.+)\n\nStatus: (\S+)\n\n## Objective\n\S/.exec(
    file.content,
  );
  assert.ok(body, `${file.path} does not begin as create_task would begin it`);
  const dependencies = /^- Dependencies: (.+)$/m.exec(file.content)?.[1]?.split(", ") ?? [];
  return {
    name,
    number: name.slice(0, 3),
    title: body[1] ?? "",
    status: body[2] ?? "",
    dependencies,
    steps: file.content.match(/^\d+\. \[.*$/gm) ?? [],
    content: file.content,
  };
}

const tasks = files.filter(({ path }) => path.startsWith("payments-api/tasks/")).map(parseTask);

/** `- done: 001, 002` lines as `{ done: ["001", "002"] }`. */
function planLists(plan: string): Record<string, string[]> {
  const lines = section(plan, "Current Status").trim().split("\n");
  return Object.fromEntries(
    lines.map((line) => {
      const [, status, list] = /^- ([a-z-]+): (.+)$/.exec(line) ?? [];
      assert.ok(status && list, `unreadable plan line: ${line}`);
      return [status, list.split(", ")];
    }),
  );
}

test("paths are unique, portable and the same after Unicode normalization", () => {
  assert.equal(new Set(files.map((file) => fold(file.path))).size, files.length);
  for (const { path } of files) {
    assert.match(path, /^[a-z][a-z-]*(\/[a-z]+)?\/[\p{L}\p{N}][\p{L}\p{N}.-]*\.md$/u);
    assert.equal(path.normalize("NFD"), path.normalize("NFC"), path);
  }
});

test("every file has text, LF line ends and exactly one final newline", () => {
  for (const { path, content } of files) {
    assert.match(content, /\S\n$/, path);
    assert.ok(!content.includes("\r"), path);
    assert.doesNotMatch(content, /[ \t]$/m, path);
    assert.doesNotMatch(content, /\{today/, path);
  }
});

test("the project stays small, for it ships in the bundle, and holds a Spanish and a Japanese note", () => {
  assert.ok(files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0) < 10_000);
  contentOf("payments-api/status.md");
  assert.match(contentOf("payments-api/references/politica-de-devoluciones.md"), /devolución/);
  assert.match(contentOf("payments-api/references/認証トークン設計.md"), /認証/);
});

test("frontmatter is valid YAML and never dated after today", () => {
  for (const { path, content } of files) {
    if (!content.startsWith("---\n")) continue;
    const meta = load(content.split("\n---\n")[0]?.slice(4) ?? "") as Record<string, unknown>;
    const updated = /^updated: (.+)$/m.exec(content)?.[1];
    assert.ok(Object.keys(meta).length > 0, path);
    if (updated !== undefined) assert.match(updated, /^\d{4}-\d{2}-\d{2}$/, path);
    assert.ok((updated ?? "") <= "2025-03-05", path);
  }
});

test("sessions are dated one and three days before today, across a month's end", () => {
  const early = demoFiles(new Date(2025, 2, 2, 0, 30)).map(({ path }) => path);
  const named = (dates: string[]) => dates.map((date) => `payments-api/sessions/${date}.md`);
  assert.deepEqual(
    early.filter((path) => path.startsWith("payments-api/sessions/")),
    named(["2025-02-27", "2025-03-01"]),
  );
  for (const { path, content } of files.filter((file) => file.path.includes("/sessions/")))
    assert.ok(content.startsWith(`# Session Log - ${path.slice(-13, -3)}\n\n## `), path);
});

test("a late hour of today does not move the dates", () => {
  assert.deepEqual(demoFiles(new Date(2025, 2, 5, 23, 59)), files);
});

test("tasks are numbered from 001 and named after their titles", () => {
  for (const [i, task] of tasks.entries()) {
    const slug = fold(task.title).replace(/[^\p{L}\p{N}]+/gu, "-");
    assert.equal(task.name, `${String(i + 1).padStart(3, "0")}-${slug}`);
  }
});

test("ticks follow the status: all when done, none when pending, some in between", () => {
  for (const task of tasks) {
    const ticked = task.steps.filter((step) => /^\d+\. \[x\] /.test(step)).length;
    const open = task.steps.filter((step) => /^\d+\. \[ \] /.test(step)).length;
    assert.equal(ticked + open, task.steps.length, task.name);
    if (task.status === "done") assert.ok(!task.content.includes("[ ]"), task.name);
    else if (task.status === "pending") assert.equal(ticked, 0, task.name);
    else if (task.status === "in-progress") assert.ok(ticked > 0 && open > 0, task.name);
  }
});

test("every dependency names an earlier task, and a started task's are done or started", () => {
  for (const task of tasks) {
    for (const name of task.dependencies) {
      const needed = tasks.find((other) => other.name === name);
      assert.ok(needed && needed.number < task.number, `${task.name} depends on ${name}`);
      if (task.status === "done" || task.status === "in-progress") assert.equal(needed.status, "done");
    }
  }
});

test("there is a task of every status and a pending one that is ready", () => {
  const done = new Set(tasks.filter((task) => task.status === "done").map((task) => task.name));
  const ready = tasks.filter(
    (task) => task.status === "pending" && task.dependencies.every((name) => done.has(name)),
  );
  assert.deepEqual([...new Set(tasks.map((task) => task.status))].sort(), [...statuses].sort());
  assert.ok(ready.length > 0);
});

test("the plan lists the tasks under their real status", () => {
  const plan = contentOf("payments-api/plans/execution-plan.md");
  assert.ok(plan.startsWith("# Execution Plan — payments-api\n\n## Overview\n"));
  const numbers = statuses.map((status) => [
    status,
    tasks.filter((task) => task.status === status).map(({ number }) => number),
  ]);
  assert.deepEqual(planLists(plan), Object.fromEntries(numbers));
});
