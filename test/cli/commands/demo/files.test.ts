import assert from "node:assert/strict";
import { test } from "node:test";
import { type DemoFile, demoFiles } from "../../../../src/cli/commands/demo/files.ts";
import { fold } from "../../../../src/core/lib/text.ts";

const files = demoFiles(new Date(2025, 2, 5, 0, 30));
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

test("paths are unique, portable and the same after Unicode normalization", () => {
  assert.equal(new Set(files.map((file) => fold(file.path))).size, files.length);
  for (const { path } of files) {
    assert.match(path, /^[a-z][a-z-]*(\/[a-z]+)?\/[\p{L}\p{N}][\p{L}\p{N}.-]*\.md$/u);
    assert.equal(path.normalize("NFD"), path.normalize("NFC"), path);
  }
});

test("the project stays small, for it ships in the bundle, and holds a Spanish and a Japanese note", () => {
  assert.ok(files.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0) < 10_000);
  contentOf("payments-api/status.md");
  assert.match(contentOf("payments-api/references/politica-de-devoluciones.md"), /devolución/);
  assert.match(contentOf("payments-api/references/認証トークン設計.md"), /認証/);
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

test("tasks are numbered from 001 and named after their titles", () => {
  for (const [i, task] of tasks.entries()) {
    const slug = fold(task.title).replace(/[^\p{L}\p{N}]+/gu, "-");
    assert.equal(task.name, `${String(i + 1).padStart(3, "0")}-${slug}`);
  }
});
