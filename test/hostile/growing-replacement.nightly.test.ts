import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const MB = 1024 * 1024;
const GROWN =
  /^'p\/a\.(?:md|log)' would be larger than 32 MB, the limit for a document\. Split it into several files\.$/;

test("a replacement that would grow to a terabyte is refused, and the file stays", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "a".repeat(MB), "p/a.log": "a".repeat(MB) });
  const { call, fail, client } = await serve(t, root);
  for (const path of ["p/a.md", "p/a.log"]) {
    const edit = { path, find: "a", replace: "b".repeat(MB), max_replacements: 2 * MB };
    const answer = fail("vault_replace", edit);
    await client.ping();
    const { code, message } = await answer;
    assert.equal(code, "invalid_parameter");
    assert.match(message, GROWN);
    assert.equal(readFileSync(join(root, path), "utf8"), "a".repeat(MB));
  }
  const { replacements } = await call<{ replacements: number }>("vault_replace", {
    path: "p/a.md",
    find: "a",
    replace: "bb",
    max_replacements: MB,
  });
  assert.equal(replacements, MB);
  assert.equal(readFileSync(join(root, "p", "a.md"), "utf8"), "bb".repeat(MB));
});

test("other calls are answered while one letter is replaced millions of times", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "a".repeat(8 * MB) });
  const { call, client } = await serve(t, root);
  let isDone = false;
  const edit = { path: "p/a.md", find: "a", replace: "", max_replacements: 8 * MB };
  const answer = call<{ replacements: number }>("vault_replace", edit).finally(() => {
    isDone = true;
  });
  await client.ping();
  assert.equal(isDone, false, "the ping was answered first");
  assert.equal((await answer).replacements, 8 * MB);
  assert.equal(statSync(join(root, "p", "a.md")).size, 0);
});

// Through pipes, texts of this size would take most of the time.
test("no tool writes a document that is too large to be found", async (t) => {
  const [large, more] = ["x".repeat(31 * MB), "y".repeat(2 * MB)];
  const text = `# A\n\n## B\n${large}\n\n## C\nc\n`;
  const root = makeWorkspace(t, { "p/notes/a.md": text, "p/sessions/2025-02-09.md": text, "p/plans/": "" });
  const clock = { now: () => new Date("2025-02-09T12:00:00Z") };
  const { call, fail } = await connect(t, root, { clock });
  const note = { project: "p", folder: "notes", filename: "a.md" };
  const attempts: [tool: string, args: Record<string, unknown>][] = [
    ["create_doc", { ...note, filename: "new.md", content: large + more }],
    ["create_plan", { project: "p", filename: "new.md", content: large + more }],
    ["log_session", { project: "p", content: more }],
    ["update_doc", { ...note, content: more, mode: "append" }],
    ["update_doc", { ...note, content: more, mode: "append", section: "C" }],
    ["update_doc", { ...note, content: large + more }],
    ["vault_create", { path: "p/notes/new.md", content: large + more }],
  ];
  for (const [tool, args] of attempts) {
    const { code, message } = await fail(tool, args);
    assert.equal(code, tool === "vault_create" ? "invalid_parameter" : "INVALID_ARGUMENT", tool);
    assert.match(message, /larger than 32 MB, .*several files/, tool);
  }
  const task = await fail("create_task", { project: "p", title: "T", objective: more + more });
  assert.match(task.message, /two million/);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  assert.deepEqual(files.sort(), [join("p", "notes", "a.md"), join("p", "sessions", "2025-02-09.md")]);
  for (const file of files) assert.equal(statSync(join(root, file)).size, text.length);
  // A document that others made too large may be made smaller.
  writeFileSync(join(root, "p", "notes", "a.md"), text + more);
  await call("update_doc", { ...note, content: "small" });
});
