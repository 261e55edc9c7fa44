import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { locked } from "../../../src/core/history/interrupted.ts";
import { makeChanges } from "../../../src/core/history/make-changes.ts";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { restoreDocTool } from "../../../src/core/mcp/tools/restore-doc.ts";
import { contentOf, hashOf } from "../../../src/core/storage/read.ts";
import { readLog } from "../../fixtures/history-log.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const NAME = { project: "p", folder: "", filename: "a.md" };
const PATH = "p/a.md";

type Answer = ToolAnswer<typeof restoreDocTool>;

/** A file whose first version was replaced. */
async function replaced(t: TestContext, first: string | Buffer = "\uFEFFone\r\n") {
  const root = makeWorkspace(t, { [PATH]: first });
  const connected = await connect(t, root);
  await connected.call("update_doc", { ...NAME, content: "two\n" });
  const version = (await readLog(root)).operations[0]?.id ?? "";
  const file = join(root, PATH);
  return { ...connected, root, version, file, text: () => readFileSync(file, "utf8") };
}

test("restore_doc gives a file its old bytes, as a write that can be restored again", async (t) => {
  const { call, root, version, text } = await replaced(t);
  const two = text();
  const answer: Answer = await call("restore_doc", { path: PATH, change: version });
  assert.equal(text(), "\uFEFFone\r\n");
  const hashes = [two, text()].map((content) => hashOf(Buffer.from(content)).slice(0, 16));
  assert.deepEqual(answer, {
    success: true,
    path: PATH,
    indexed: true,
    previous_hash: hashes[0],
    hash: hashes[1],
  });
  const { total_matches } = await call<{ total_matches: number }>("search", { query: "one" });
  assert.equal(total_matches, 1);
  const { id, tool } = (await readLog(root)).operations[1] ?? {};
  assert.equal(tool, "restore_doc");
  await call("restore_doc", { path: PATH, change: id });
  assert.equal(text(), two);
});

test("a version that the file already has changes nothing", async (t) => {
  const { call, root, version } = await replaced(t);
  for (const _ of [1, 2]) await call("restore_doc", { path: PATH, change: version });
  assert.equal((await readLog(root)).operations.length, 2);
});

test("a file that is gone is made again, with its folder", async (t) => {
  const { call, root, version, text } = await replaced(t);
  rmSync(join(root, "p"), { recursive: true });
  const answer: Answer = await call("restore_doc", { path: PATH, change: version });
  assert.deepEqual([text(), answer.previous_hash], ["\uFEFFone\r\n", null]);
});

test("a file that changed outside is a conflict with a diff, until its hash is given", async (t) => {
  const { call, fail, version, file, text } = await replaced(t);
  appendFileSync(file, "mine\n");
  const present = text();
  const { code, message, details } = await fail("restore_doc", { path: PATH, change: version });
  assert.equal(code, "CONFLICT");
  assert.match(message, /was changed since\. Look at the diff.*expected_hash\.$/);
  assert.match(String(details["diff"]), /-mine/);
  const hash = hashOf(Buffer.from(present));
  assert.equal(details["hash"], hash.slice(0, 16));
  const wrong = await fail("restore_doc", { path: PATH, change: version, expected_hash: "0".repeat(16) });
  assert.equal(wrong.code, "CONFLICT");
  assert.equal(text(), present);
  await call("restore_doc", { path: PATH, change: version, expected_hash: hash.slice(0, 16) });
  assert.equal(text(), "\uFEFFone\r\n");
});

test("bytes that are not UTF-8 come back as they were", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "x" });
  const { call, workspace } = await connect(t, root);
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x80]);
  writeFileSync(join(root, PATH), bytes);
  await locked(workspace.history, ["p"], (lockOf) =>
    makeChanges(workspace.history, [{ path: PATH, before: contentOf(bytes), after: null }], { lockOf }),
  );
  await call("restore_doc", { path: PATH, change: (await readLog(root)).operations[0]?.id });
  assert.deepEqual(readFileSync(join(root, PATH)), bytes);
});

test("an unknown version, and a name that is taken, are errors", async (t) => {
  const { call, fail, version, root } = await replaced(t);
  assert.equal((await fail("restore_doc", { path: PATH, change: "x" })).code, "INVALID_ARGUMENT");
  assert.equal((await fail("restore_doc", { path: "p/other.md", change: version })).code, "FILE_NOT_FOUND");
  rmSync(join(root, PATH));
  await call("vault_create", { path: "p/A.MD", content: "other" });
  assert.equal((await fail("restore_doc", { path: PATH, change: version })).code, "FILE_EXISTS");
});

test("one change is taken back out of a text that others changed since, unless they changed the same place", async (t) => {
  const text = "# A\n\nStatus: pending\n\n## Notes\n\n- one\n";
  const root = makeWorkspace(t, { "p/tasks/001-a.md": text, "p/a.md": "one\n" });
  const { call, fail } = await connect(t, root);
  const task = { project: "p", task: "001" };
  const read = () => readFileSync(join(root, "p/tasks/001-a.md"), "utf8");
  const newest = async () => (await readLog(root)).operations.at(-1)?.id ?? "";
  await call("update_task_status", { ...task, status: "blocked" });
  const change = await newest();
  await call("update_doc", { path: "p/tasks/001-a.md", section: "Notes", content: "- two", mode: "append" });
  const withTwo = read();
  const back: Answer = await call("restore_doc", { change });
  assert.equal(read(), withTwo.replace("blocked", "pending"));
  await call("restore_doc", { change: back.change });
  assert.equal(read(), withTwo);
  await call("update_task_status", { ...task, status: "done" });
  assert.equal((await fail("restore_doc", { change })).code, "CONFLICT");
  // What stands there now may be nobody's change: it is not undone over what came from outside.
  await call("update_doc", { ...NAME, content: "two\n" });
  const outside = await newest();
  appendFileSync(join(root, PATH), "mine\n");
  assert.equal((await fail("restore_doc", { change: outside })).code, "CONFLICT");
});

test("a whole change is taken back by its id, whatever others wrote meanwhile", async (t) => {
  const files = {
    "p/tasks/001-a.md": "# A\n\nStatus: done\n",
    "p/status.md": "[[001-a]] [b](tasks/001-a.md)\n",
  };
  const root = makeWorkspace(t, files);
  const { call, fail } = await connect(t, root);
  const { change } = await call<{ change?: string }>("archive_tasks", { project: "p", tasks: ["001"] });
  await call("create_doc", { project: "p", folder: "", filename: "other.md", content: "x" });
  const back: Answer = await call("restore_doc", { change });
  for (const [path, text] of Object.entries(files))
    assert.equal(readFileSync(join(root, path), "utf8"), text);
  assert.ok((back.restored?.total ?? 0) >= 2);
  const same: Answer = await call("restore_doc", { change });
  assert.deepEqual([same.restored?.total, same.change], [0, undefined]);
  assert.match(same.hint ?? "", /Nothing was changed/);
  const again: Answer = await call("restore_doc", { change: back.change });
  assert.ok(again.success && !existsSync(join(root, "p/tasks/001-a.md")));
  assert.equal((await fail("restore_doc", { change: "0".repeat(12) })).code, "INVALID_ARGUMENT");
  assert.match((await fail("restore_doc", { path: "p/status.md" })).message, /'change' is missing/);
  const moved = await call<{ change?: string }>("move_doc", { path: "p/other.md", to_folder: "references" });
  writeFileSync(join(root, "p/references/other.md"), "changed outside");
  assert.equal((await fail("restore_doc", { change: moved.change })).code, "CONFLICT");
});

test("an agent takes its own claim back, and not that of another agent", async (t) => {
  const path = "p/tasks/001-a.md";
  const before = "# Task: A\n\nStatus: pending\n";
  const root = makeWorkspace(t, { [path]: before });
  const { call, fail } = await connect(t, root);
  const claimed = async (agent: string) => {
    await call("claim_task", { project: "p", agent, task: "1" });
    return (await readLog(root)).operations.at(-1)?.id ?? "";
  };
  const text = () => readFileSync(join(root, path), "utf8");
  for (const name of [{}, { path }]) {
    await call("restore_doc", { change: await claimed("ana-1"), ...name });
    assert.equal(text(), before);
  }
  const first = await claimed("ana-1");
  await call("claim_task", { project: "p", agent: "ana-1", task: "1", release: true });
  await claimed("eva-2");
  assert.match((await fail("restore_doc", { change: first, path })).message, /held by 'eva-2'/);
});
