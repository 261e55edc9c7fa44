import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeChanges } from "../../../src/core/history/make-changes.ts";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { historyTool } from "../../../src/core/mcp/tools/history.ts";
import { contentOf } from "../../../src/core/storage/read.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const NAME = { project: "p", folder: "", filename: "a.md" };

type Answer = ToolAnswer<typeof historyTool>;

test("history lists what was written, by which tool and client, newest first", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n", "q/b.md": "x" });
  const { call } = await connect(t, root, { clock: { now: () => new Date("2026-03-01T10:00:00Z") } });
  await call("update_doc", { ...NAME, content: "two\n" });
  await call("create_doc", { ...NAME, project: "q", filename: "new.md", content: "n\n" });
  const answer: Answer = await call("history");
  const { change: first = "" } = answer.versions[1] ?? {};
  assert.match(first, /^[0-9a-f]{12}$/);
  const common = { time: "2026-03-01T10:00:00.000Z", client: "test" };
  assert.deepEqual(
    answer.versions.map(({ change: _, ...rest }) => rest),
    [
      { path: "q/new.md", ...common, tool: "create_doc", kind: "created" },
      { path: "p/a.md", ...common, tool: "update_doc", kind: "replaced", bytes: 4 },
    ],
  );
  assert.equal(answer.total, 2);
  const paths = async (args: object) =>
    (await call<Answer>("history", { ...args })).versions.map(({ path }) => path);
  assert.deepEqual(await paths({ project: "P" }), ["p/a.md"]);
  assert.deepEqual(await paths({ path: "q/new.md" }), ["q/new.md"]);
  assert.deepEqual(await paths({ path: "q/other.md" }), []);
});

test("history lists a task that leads out of the workspace by now", async (t) => {
  const task = { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" };
  const root = makeWorkspace(t, task);
  const { call } = await connect(t, root);
  await call("update_task_status", { project: "p", task: 1, status: "blocked" });
  const outside = makeWorkspace(t, task);
  rmSync(join(root, "p/tasks/001-a.md"));
  symlinkSync(join(outside, "p/tasks/001-a.md"), join(root, "p/tasks/001-a.md"));
  const { versions } = await call<Answer>("history", { project: "p" });
  assert.deepEqual(
    versions.map(({ path, status }) => [path, status]),
    [["p/tasks/001-a.md", ["pending", "blocked"]]],
  );
});

test("history comes in pages", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "0\n" });
  const { call } = await connect(t, root);
  for (const content of ["1\n", "2\n", "3\n"]) await call("update_doc", { ...NAME, content });
  const first: Answer = await call("history", { limit: 2 });
  assert.deepEqual([first.total, first.versions.length, first.next_offset], [3, 2, 2]);
  const second: Answer = await call("history", { limit: 2, offset: first.next_offset });
  assert.deepEqual([second.total, second.versions.length, second.next_offset], [3, 1, undefined]);
});

test("a change shows its text, and the difference from the present one", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "kept\r\none\r\n" });
  const { call } = await connect(t, root);
  await call("update_doc", { ...NAME, content: "kept\ntwo\n" });
  const { versions } = await call<Answer>("history");
  const { change } = versions[0] ?? {};
  const answer: Answer = await call("history", { change });
  assert.equal(answer.content, "kept\r\none\r\n");
  assert.equal(answer.diff, "@@ line 1 @@\n kept\n-two\n+one");
  assert.deepEqual([answer.versions, answer.total_chars, answer.next_offset], [versions, 11, undefined]);
  rmSync(join(root, "p/a.md"));
  assert.equal((await call<Answer>("history", { change, path: "p/a.md" })).diff, "@@ line 1 @@\n+kept\n+one");
});

test("each change shows what it did itself, and how it changed a task", async (t) => {
  const text = "# Task: A\n\nStatus: pending\n\n## Steps\n\n1. [ ] Buy\n2. [x] Eat\n\n## Notes\n";
  const root = makeWorkspace(t, { "p/tasks/001-a.md": text });
  const { call } = await connect(t, root);
  const task = { project: "p", task: "001" };
  await call("update_task_status", { ...task, status: "in-progress" });
  await call("update_task", { ...task, priority: "high", done_steps: [1], open_steps: [2] });
  await call("update_task_status", { ...task, status: "done", note: "Done." });
  const { versions } = await call<Answer>("history");
  assert.deepEqual(
    versions.map(({ status }) => status),
    [["in-progress", "done"], undefined, ["pending", "in-progress"]],
  );
  assert.deepEqual(
    versions.map(({ did }) => did),
    [
      [{ what: "noted", to: "Done." }],
      [
        { what: "priority", to: "high" },
        { what: "ticked", to: "Buy" },
        { what: "unticked", to: "Eat" },
      ],
      undefined,
    ],
  );
  await call("update_doc", {
    path: "p/tasks/001-a.md",
    section: "Steps",
    content: "1. [x] Buy\n2. [x] Cook",
  });
  const plan = { path: "p/plan.md", section: "Milestones" };
  await call("create_doc", {
    path: plan.path,
    content: "# Plan\n\n## Milestones\nOne\n\n## Risks\nNone\n\n## Risks\nSome\n",
  });
  await call("update_doc", { ...plan, content: "Two" });
  const edited = (await call<Answer>("history", { limit: 3 })).versions.map(({ did }) => did);
  assert.deepEqual(edited, [
    [{ what: "edited", to: "Milestones" }],
    undefined,
    [
      { what: "ticked", to: "Cook" },
      { what: "edited", to: "Steps" },
    ],
  ]);
  const changed = async (at: number) => {
    const { change } = versions[at] ?? {};
    return (await call<Answer>("history", { change, path: "p/tasks/001-a.md" })).changed;
  };
  assert.match(String(await changed(2)), /^-Status: pending\n\+Status: in-progress$/m);
  assert.match(String(await changed(0)), /^-Status: in-progress\n\+Status: done$/m);
  writeFileSync(join(root, "p/tasks/001-a.md"), text);
  assert.match(String(await changed(0)), /^\+Status: done$/m, "whatever was edited since");
});

test("a long change comes in parts that never split a character", async (t) => {
  const text = `${"x".repeat(39_999)}🙂${"y".repeat(10)}`;
  const root = makeWorkspace(t, { "p/a.md": text });
  const { call, fail } = await connect(t, root);
  await call("update_doc", { ...NAME, content: "short\n" });
  const { versions } = await call<Answer>("history");
  const { change } = versions[0] ?? {};
  const first: Answer = await call("history", { change });
  assert.deepEqual([first.content?.length, first.next_offset], [39_999, 39_999]);
  assert.ok((first.diff?.length ?? 0) < 9000);
  const rest: Answer = await call("history", { change, offset: first.next_offset });
  assert.equal(`${first.content}${rest.content}`, text);
  assert.deepEqual([rest.diff, rest.next_offset], [undefined, undefined]);
  const beyond = await fail("history", { change, offset: text.length + 1 });
  assert.match(beyond.message, /^'offset' is \d+, .* \d+\./);
});

test("an unknown change or path is an error that says what to do", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, fail } = await connect(t, root);
  await call("update_doc", { ...NAME, content: "two\n" });
  await call("create_doc", { ...NAME, filename: "new.md", content: "x\n" });
  const unknown = await fail("history", { change: "000000000000" });
  assert.deepEqual([unknown.code, /Call history/.test(unknown.message)], ["INVALID_ARGUMENT", true]);
  const missing = await fail("history", { change: "000000000000", path: "p/b.md" });
  assert.deepEqual([missing.code, missing.details.suggestions?.[0]], ["FILE_NOT_FOUND", "p/a.md"]);
  const { versions } = await call<Answer>("history", { path: "p/new.md" });
  const created = await fail("history", { change: versions[0]?.change });
  assertTells(created.message, ["created 'p/new.md'", "no older text"]);
});

test("a moved document's history names its other path", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n", "p/b.md": "[[a]]\n" });
  const { call, fail } = await connect(t, root);
  await call("update_doc", { ...NAME, content: "two\n" });
  await call("move_doc", { path: "p/a.md", to_folder: "plans", to_filename: "c" });
  const newest = async (path: string) => (await call<Answer>("history", { path })).versions[0];
  const moved = await newest("p/plans/c.md");
  assert.deepEqual([moved?.kind, moved?.moved_from, moved?.moved_to], ["moved", "p/a.md", undefined]);
  const old = await newest("p/a.md");
  assert.deepEqual([old?.kind, old?.moved_from, old?.moved_to], ["moved", undefined, "p/plans/c.md"]);
  const linking = await newest("p/b.md");
  assert.deepEqual([linking?.kind, linking?.moved_from], ["replaced", undefined]);
  const error = await fail("history", { path: "p/plans/c.md", change: moved?.change });
  assertTells(error.message, ["moved 'p/a.md' to 'p/plans/c.md'", "old path"]);
  assert.deepEqual(error.details.suggestions, ["p/a.md"]);
});

test("a path finds its history without '.md', and in any letter case and composition", async (t) => {
  const path = `p/${"diseño".normalize("NFD")}.md`;
  const root = makeWorkspace(t, { [path]: "one\n" });
  const { call } = await connect(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "diseño.md", content: "two\n" });
  const first = (await call<Answer>("history")).versions[0]?.change;
  for (const given of ["p/diseño.md", "./p/diseño", "P/Diseño.md"]) {
    const { versions } = await call<Answer>("history", { path: given });
    assert.deepEqual([versions.length, versions[0]?.path], [1, path]);
  }
  const restored = await call<{ path: string }>("restore_doc", { path: "p/diseño.md", change: first });
  assert.equal(restored.path, path);
  assert.deepEqual(readdirSync(join(root, "p")), [`${"diseño".normalize("NFD")}.md`]);
  assert.equal(readFileSync(join(root, path), "utf8"), "one\n");
});

test("a change whose text is gone or damaged is listed without bytes, or says so", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, fail } = await connect(t, root);
  await call("update_doc", { ...NAME, content: "two\n" });
  const { versions } = await call<Answer>("history");
  const { change } = versions[0] ?? {};
  const { readLog } = await import("../../fixtures/history-log.ts");
  const hash = (await readLog(root)).operations[0]?.changes[0]?.before ?? "";
  const file = join(root, ".vibe-mcp/history/blobs", hash.slice(0, 2), hash);
  appendFileSync(file, "x");
  writeFileSync(file, "damage");
  assert.match((await fail("history", { change })).message, /old text of 'p\/a\.md' is damaged/);
  rmSync(file);
  assert.equal((await call<Answer>("history")).versions[0]?.bytes, undefined);
  assert.match((await fail("history", { change })).message, /no longer/);
});

test("the client's name is one short line", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, workspace } = await connect(t, root);
  const actor = { tool: "update_doc", client: `evil\u202e\n${"x".repeat(500)}` };
  await workspace.history.acting(actor, () =>
    makeChanges(workspace.history, [{ path: "p/b.md", before: null, after: contentOf(Buffer.from("x")) }]),
  );
  const { client = "" } = (await call<Answer>("history")).versions[0] ?? {};
  assert.match(client, /^evil\\u\{202e\} x+…$/);
  assert.ok(client.length <= 60);
});
