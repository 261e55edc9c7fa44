import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withLock } from "../../src/core/storage/locks.ts";
import { replaceAsyncCall, replaceCall, systemError, withMode } from "../fixtures/disk.ts";
import { connect, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const posix = { skip: process.platform === "win32" && "Windows keeps no permission bits" };

test("a project whose status cannot be written is not left half made", async (t) => {
  const root = makeWorkspace(t, { "other/a.md": "x" });
  const { call, fail } = await connect(t, root);
  let isFull = true;
  replaceAsyncCall(t, "open", (real) => async (...args) => {
    if (isFull) throw systemError("ENOSPC");
    return real(...args);
  });
  const { code, message } = await fail("init_project", { project: "p" });
  assert.equal(code, "FILESYSTEM_ERROR");
  assert.match(message, /disk is full/);
  assert.ok(!existsSync(join(root, "p")));
  isFull = false;
  assert.equal((await call("init_project", { project: "p" }))["success"], true);
});

test("a project folder that cannot be created is reported in words", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "other/a.md": "x" }));
  replaceCall(t, "mkdirSync", (real) => (...args) => {
    if (String(args[0]).endsWith("p")) throw systemError("EROFS");
    return real(...args);
  });
  const { code, message } = await fail("init_project", { project: "p" });
  assert.deepEqual([code, /read-only/.test(message)], ["FILESYSTEM_ERROR", true]);
});

test(
  "a file that is no longer readable is still found, without its text, and warned about once",
  posix,
  async (t) => {
    const root = makeWorkspace(t, { "p/a.md": "# A\n\nquokka\n" });
    chmodSync(root, 0o755);
    const { workspace, logged } = await connect(t, root);
    const shown = async () => {
      const { results } = await workspace.search({ query: "quokka", filter: {}, limit: 1 });
      return results[0]?.passage({ chars: 100 }).text ?? assert.fail();
    };
    assert.match(await shown(), /quokka/);
    await withMode(join(root, "p", "a.md"), 0, async () => {
      for (let round = 0; round < 2; round++) assert.doesNotMatch(await shown(), /quokka/);
      assert.throws(() => workspace.read({ project: "p", folder: "", filename: "a.md" }), {
        code: "FILESYSTEM_ERROR",
      });
    });
    assert.equal(logged.filter((line) => line.includes("p/a.md: not readable")).length, 1);
  },
);

test("a lock folder that cannot be created is reported in words", async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, ".vibe-mcp"), "a file");
  await assert.rejects(
    withLock(root, "p", async () => {}),
    { code: "FILESYSTEM_ERROR" },
  );
});

test("a task gets no number that an unlisted or unreadable file may have", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# A\n", "p/tasks/007-b.md": "# B\n" });
  const { call, fail } = await connect(t, root);
  const task = { project: "p", title: "New", objective: "Do it" };
  let broken: string | undefined = "tasks";
  for (const name of ["readdirSync", "statSync"] as const) {
    replaceCall(t, name, (real) => (...args) => {
      // Folders are read by their descriptor.
      const place = broken === undefined ? "" : realpathSync.native(String(args[0]));
      if (broken !== undefined && place.endsWith(broken)) throw systemError("EMFILE");
      return real(...args);
    });
  }
  assert.equal((await fail("create_task", task)).code, "FILESYSTEM_ERROR");
  assert.equal(
    (await fail("update_task_status", { project: "p", task: "1", status: "done" })).code,
    "FILESYSTEM_ERROR",
  );
  assert.deepEqual(readdirSync(join(root, "p")), ["tasks"]);
  broken = "007-b.md";
  const { task: made } = await call<{ task: { number: string } }>("create_task", task);
  assert.equal(made.number, "008");
  broken = undefined;
  assert.deepEqual(readdirSync(join(root, "p", "tasks")).sort(), ["001-a.md", "007-b.md", "008-new.md"]);
});
