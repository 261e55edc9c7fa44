import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { planUndo } from "../../../src/core/history/undo.ts";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { archiveTasksTool } from "../../../src/core/mcp/tools/archive-tasks.ts";
import { undoStep } from "../../../src/core/workspace/undo.ts";
import { readLog } from "../../fixtures/history-log.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof archiveTasksTool>;

const task = (updated: string, status: string, rest = "") =>
  `---\nupdated: ${updated}\n---\n# Task\r\n\nStatus: ${status}\n${rest}`;

const FILES = {
  "p/tasks/001-old.md": task("2025-01-01", "done", "[note](../notes/a.md)\n"),
  "p/tasks/002-new.md": task("2025-03-01", "done"),
  "p/tasks/deep/003-open.md": task("2025-01-01", "blocked"),
  "p/tasks/004-next.md": task("2025-03-01", "pending", "\n## Context\n- Dependencies: [old](001-old.md)\n"),
  "p/notes/a.md": "[one](../tasks/001-old.md), [[001-old]]\n",
  "q/tasks/001-old.md": task("2025-01-01", "done"),
};

function textsOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^[pq]\b.*\.md$/.test(name),
  );
  return Object.fromEntries(
    names.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(root, name), "utf8")]),
  );
}

async function archiver(t: TestContext) {
  const root = makeWorkspace(t, FILES);
  const connected = await connect(t, root);
  const archive = (args: object) => connected.call<Answer>("archive_tasks", { project: "p", ...args });
  return { ...connected, root, archive };
}

test("a task is archived with the links to it, as one change that can be undone", async (t) => {
  const { archive, root, call, workspace } = await archiver(t);
  const { change, ...answer } = await archive({ tasks: ["1"] });
  const moved = ["p/archive/tasks/001-old.md"];
  assert.deepEqual(answer, { success: true, total: 1, moved, links: { changed: 3, files: 3 } });
  const texts = textsOf(root);
  assert.equal(texts["p/tasks/001-old.md"], undefined);
  assert.match(texts["p/archive/tasks/001-old.md"] ?? "", /# Task\r\n[\s\S]*\(\.\.\/\.\.\/notes\/a\.md\)/);
  assert.equal(texts["p/notes/a.md"], "[one](../archive/tasks/001-old.md), [[001-old]]\n");
  const { tasks } = await call<{ tasks: { path: string }[] }>("list_tasks", { project: "p", ready: true });
  assert.deepEqual(
    tasks.map(({ path }) => path),
    ["p/tasks/004-next.md"],
  );
  assert.deepEqual(
    (await readLog(root)).operations.map(({ id }) => id),
    [change],
  );
  const { steps } = await planUndo(root, { count: 1, project: "p", now: new Date() });
  for (const step of steps) await undoStep(workspace, step);
  assert.deepEqual(textsOf(root), FILES);
});

test("restore moves tasks back, whatever their status, and changes the links back", async (t) => {
  const { archive, root, call } = await archiver(t);
  await archive({ done_before: "2026-01-01" });
  const set = { project: "p", task: "archive/tasks/002-new.md", status: "pending" };
  assert.match(
    (await call<{ hint: string }>("update_task_status", set)).hint,
    /in the archive.*: restore it/,
  );
  await call("update_task_status", { ...set, status: "done" });
  const { moved } = await archive({ tasks: [1, "002-new"], restore: true });
  assert.deepEqual(moved, ["p/tasks/001-old.md", "p/tasks/002-new.md"]);
  assert.deepEqual(textsOf(root), FILES);
});

test("done_before takes the done tasks that are old enough, and no others", async (t) => {
  const { archive, root } = await archiver(t);
  assert.deepEqual((await archive({ done_before: "2025-03-01" })).moved, ["p/archive/tasks/001-old.md"]);
  assertTells((await archive({ done_before: "2025-03-01" })).hint, ["No", "old enough"]);
  assertTells((await archive({ tasks: 2, done_before: "2025-03-01" })).hint, ["None", "old enough"]);
  assert.deepEqual((await archive({ tasks: [], done_before: "2025-03-02T10:00" })).total, 1);
  assert.ok(existsSync(join(root, "p/tasks/deep/003-open.md")));
  assert.ok(existsSync(join(root, "q/tasks/001-old.md")));
});

test("a dry run changes nothing and answers what would move", async (t) => {
  const { archive, root } = await archiver(t);
  const { dry_run, total, links } = await archive({ tasks: "001-old", dry_run: true });
  assert.deepEqual([dry_run, total, links], [true, 1, { changed: 3, files: 3 }]);
  assert.deepEqual(textsOf(root), FILES);
  assert.equal((await readLog(root)).operations.length, 0);
});

test("one task that is not done stops the others, and nothing to do is a success", async (t) => {
  const { archive, fail, root } = await archiver(t);
  const { code, message, details } = await fail("archive_tasks", { project: "p", tasks: [1, 3, "004"] });
  assert.equal(code, "INVALID_ARGUMENT");
  assert.match(message, /^Not done: 004-next\.md, deep\/003-open\.md\. Nothing was archived\./);
  assert.deepEqual(details["open"], ["004-next.md", "deep/003-open.md"]);
  assert.deepEqual(textsOf(root), FILES);
  await archive({ tasks: ["001"] });
  const again = await archive({ tasks: ["001"] });
  assert.deepEqual(again.moved, []);
  assertTells(again.hint, ["in the archive already"]);
  assertTells((await archive({ tasks: [2], restore: true })).hint, ["No", "archive"]);
});

test("wrong arguments are refused with what to pass", async (t) => {
  const { fail, root } = await archiver(t);
  const wrong: [args: object, code: string, message: RegExp][] = [
    [{}, "INVALID_ARGUMENT", /'tasks', e\.g\. \["003"\], or 'done_before'/],
    [{ tasks: [] }, "INVALID_ARGUMENT", /'done_before'/],
    [{ tasks: ["9"] }, "FILE_NOT_FOUND", /Task '9' not found/],
    [{ tasks: ["../q/tasks/001-old.md"] }, "INVALID_PATH", /not a path/],
    [{ tasks: [{}] }, "INVALID_ARGUMENT", /'tasks\.0' must be a string/],
    [{ done_before: "yesterday" }, "INVALID_ARGUMENT", /a date such as 2026-01-31, not 'yesterday'/],
    [{ done_before: "2025-02-30" }, "INVALID_ARGUMENT", /a date/],
    [{ project: "x", tasks: ["1"] }, "PROJECT_NOT_FOUND", /'x'/],
    [{ task: "1" }, "INVALID_ARGUMENT", /Did you mean 'tasks'/],
  ];
  for (const [args, code, message] of wrong) {
    const error = await fail("archive_tasks", { project: "p", ...args });
    assert.equal(error.code, code, JSON.stringify(args));
    assert.match(error.message, message);
  }
  assert.deepEqual(textsOf(root), FILES);
});

test("a file of the same name in the archive is kept, and the task stays", async (t) => {
  const root = makeWorkspace(t, { ...FILES, "p/archive/tasks/001-old.md": "mine" });
  const { fail } = await connect(t, root);
  assert.equal((await fail("archive_tasks", { project: "p", tasks: ["1"] })).code, "FILE_EXISTS");
  assert.equal(textsOf(root)["p/archive/tasks/001-old.md"], "mine");
  assert.equal(textsOf(root)["p/tasks/001-old.md"], FILES["p/tasks/001-old.md"]);
});

test("the old path of an archived document leads to its new one", async (t) => {
  const { archive, fail } = await archiver(t);
  await archive({ tasks: ["1"] });
  for (const name of [
    { path: "p/tasks/001-old.md" },
    { project: "p", folder: "tasks", filename: "001-old" },
  ]) {
    const { code, message, details } = await fail("read_doc", name);
    assert.equal(code, "FILE_NOT_FOUND");
    assert.match(message, /^'tasks\/001-old(\.md)?' .*archive.*'p\/archive\/tasks\/001-old\.md'\.$/);
    assert.deepEqual(details["suggestions"], ["p/archive/tasks/001-old.md"]);
  }
});

test("more than 100 tasks are counted, not listed", async (t) => {
  const names = Array.from({ length: 101 }, (_, at) => `p/tasks/${String(at + 1).padStart(3, "0")}-t.md`);
  const { call } = await connect(
    t,
    makeWorkspace(t, Object.fromEntries(names.map((name) => [name, task("2025-01-01", "done")]))),
  );
  const { total, moved } = await call<Answer>("archive_tasks", { project: "p", done_before: "2026-01-01" });
  assert.deepEqual([total, moved.length], [101, 100]);
});
