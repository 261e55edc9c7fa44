import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const task = (title: string, fields: string, more = "") =>
  `---\nstatus: pending\n${fields}---\n# Task: ${title}\n\n## Objective\nx\n${more}`;

test("a task is found by its id from elsewhere wherever its number would be", async (t) => {
  const root = makeWorkspace(t, {
    "p/status.md": "# P\n\nSee [[bd-a1b]].\n",
    "p/tasks/001-alpha.md": task("Alpha", "imported: beads bd-a1b\n"),
    "p/tasks/002-beta.md": task("Beta", "id: BACK-12\ndependencies: [bd-a1b, SHOP-7]\n"),
    "p/tasks/SHOP-7-refund.md": task("Refund", ""),
    "p/tasks/SHOP-8-mail.md": task("Mail", "dependencies: SHOP-8\n"),
    "q/tasks/001-other.md": task("Other", "id: BACK-12\n"),
  });
  const { call, fail } = await connect(t, root);
  for (const [name, path] of [
    ["BD-A1B", "001-alpha.md"],
    ["back-12", "002-beta.md"],
    ["shop-7", "SHOP-7-refund.md"],
    ["[[bd-a1b]]", "001-alpha.md"],
  ] as const) {
    const read = await call<{ path: string }>("read_doc", { project: "p", path: name, from: "p/status.md" });
    assert.equal(read.path, `p/tasks/${path}`, name);
  }
  const linked = await call<{ backlinks: { paths: string[] } }>("read_doc", { path: "p/tasks/001-alpha.md" });
  assert.deepEqual(linked.backlinks.paths, ["p/status.md", "p/tasks/002-beta.md"]);
  const ready = async () =>
    (await call<{ tasks: { title: string }[] }>("list_tasks", { project: "p", ready: true })).tasks.map(
      ({ title }) => title,
    );
  assert.deepEqual(await ready(), ["Alpha", "Refund", "Mail"]);
  const done = { project: "p", status: "done" };
  await call("update_task_status", { ...done, task: "bd-a1b" });
  const { unblocked } = await call<{ unblocked: { title: string }[] }>("update_task_status", {
    ...done,
    task: "SHOP-7",
  });
  assert.deepEqual(
    unblocked.map(({ title }) => title),
    ["Beta"],
  );
  const created = await call<{ path: string; missing_dependencies?: string[] }>("create_task", {
    ...{ project: "p", title: "Last", objective: "x" },
    context: { dependencies: ["BACK-12", "BACK-99"] },
  });
  assert.deepEqual(created.missing_dependencies, ["BACK-99"]);
  assert.equal((await fail("read_doc", { project: "p", path: "BACK-13" })).code, "FILE_NOT_FOUND");
});
