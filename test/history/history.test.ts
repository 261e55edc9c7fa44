import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listBlobs } from "../../src/core/history/blobs.ts";
import { locked } from "../../src/core/history/interrupted.ts";
import { Journal } from "../../src/core/history/journal.ts";
import { makeChanges } from "../../src/core/history/make-changes.ts";
import { planUndo, planUndoOf, type UndoStep } from "../../src/core/history/undo.ts";
import type { FileChange } from "../../src/core/storage/change-file.ts";
import { contentOf } from "../../src/core/storage/read.ts";
import { moveDocuments } from "../../src/core/workspace/move.ts";
import { undoStep } from "../../src/core/workspace/undo.ts";
import type { Workspace } from "../../src/core/workspace/workspace.ts";
import { ignoreLetterCase, ON_WINDOWS, replaceCall, systemError } from "../fixtures/disk.ts";
import { readLog } from "../fixtures/history-log.ts";
import { numRuns, SEED } from "../fixtures/num-runs.ts";
import { RANDOM_WORKSPACE, randomModes, treeOf, writeAtRandom } from "../fixtures/random-writes.ts";
import { STATE } from "../fixtures/state.ts";
import { assertTells } from "../fixtures/tells.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";
import { randomFrom, report } from "../hostile/runs.ts";

const RUNS = numRuns(10);

/** As the command does. */
const undoByPerson = (workspace: Workspace, step: UndoStep) =>
  workspace.history.acting({ isPerson: true }, () => undoStep(workspace, step));

test("undo restores the bytes and modes of all files after 20 random writes by two servers", async (t) => {
  for (let seed = 1; seed <= RUNS; seed++)
    await t.test(`seed ${seed}`, async (one) => {
      const root = makeWorkspace(one, RANDOM_WORKSPACE);
      const random = randomFrom(SEED + seed);
      randomModes(root, random);
      const before = treeOf(root);
      const [a, b] = [await connect(one, root), await connect(one, root)];
      const written = async () => (await readLog(root)).operations.length;
      while ((await written()) < 20) await writeAtRandom([a, b], 20 - (await written()), random);
      assert.notDeepEqual(treeOf(root), before);
      for (let left = await written(); left > 0; left--) {
        const { steps, conflict } = await planUndo(root, { count: 1, now: new Date() });
        assert.equal(conflict, undefined);
        assert.equal(steps.length, 1);
        for (const step of steps) await undoByPerson((left % 2 ? a : b).workspace, step);
      }
      assert.deepEqual(treeOf(root), before);
      assert.deepEqual(await planUndo(root, { count: 1, now: new Date() }), {
        steps: [],
        skipped: [],
        gone: [],
        ahead: [],
      });
    });
  report(
    t,
    "20 random writes of every kind, by two servers at once, then 20 undos",
    RUNS,
    "all bytes and modes as before",
  );
});

test("undo of any number of changes at once gives back the bytes and modes of that moment", async (t) => {
  for (let seed = 1; seed <= RUNS; seed++)
    await t.test(`seed ${seed}`, async (one) => {
      const root = makeWorkspace(one, RANDOM_WORKSPACE);
      const random = randomFrom(SEED + seed);
      randomModes(root, random);
      const server = await connect(one, root);
      const written = async () => (await readLog(root)).operations.length;
      const moments = new Map([[0, treeOf(root)]]);
      while ((await written()) < 12) {
        await writeAtRandom([server], 1, random);
        moments.set(await written(), treeOf(root));
      }
      for (let left = await written(); left > 0; ) {
        const to = [...moments.keys()].filter((moment) => moment < left);
        const target = to[Math.floor(random() * to.length)] ?? 0;
        const { steps, conflict } = await planUndo(root, { count: left - target, now: new Date() });
        assert.deepEqual([conflict, steps.length], [undefined, left - target]);
        for (const step of steps) await undoByPerson(server.workspace, step);
        assert.deepEqual(treeOf(root), moments.get(target));
        left = target;
      }
    });
  report(
    t,
    "12 random writes of every kind, undone some at a time",
    RUNS,
    "the bytes and modes of each moment",
  );
});

test("several undos at once are planned one on top of the other", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, workspace } = await connect(t, root);
  const name = { project: "p", folder: "", filename: "a.md" };
  for (const content of ["two\n", "three\n"]) await call("update_doc", { ...name, content });
  const { steps } = await planUndo(root, { count: 5, now: new Date() });
  assert.deepEqual(
    steps.map(({ changes: [change] }) => [change?.before?.text, change?.after?.text]),
    [
      ["three\n", "two\n"],
      ["two\n", "one\n"],
    ],
  );
  for (const step of steps) await undoStep(workspace, step);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "one\n");
});

test("a rename in letter case is undone on a disk that ignores it", async (t) => {
  const root = makeWorkspace(t, { "p/Notes.md": "one\n" });
  const before = treeOf(root);
  const { call, workspace } = await connect(t, root);
  ignoreLetterCase(t);
  await call("move_doc", { path: "p/Notes.md", to_filename: "notes.md" });
  for (const step of (await planUndo(root, { count: 1, now: new Date() })).steps)
    await undoStep(workspace, step);
  assert.deepEqual(treeOf(root), before);
});

test("an undo that fails has undone nothing, and can be repeated", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "a\n", "p/b.md": "[[a]]\n" });
  const before = treeOf(root);
  const { call, workspace } = await connect(t, root);
  await call("move_doc", { path: "p/a.md", to_filename: "c" });
  const [step] = (await planUndo(root, { count: 1, now: new Date() })).steps;
  assert.ok(step);
  writeFileSync(join(root, "p/b.md"), "mine\n");
  await assert.rejects(undoStep(workspace, step), { code: "CONFLICT", message: /'p\/b\.md'/ });
  assert.equal(readFileSync(join(root, "p/b.md"), "utf8"), "mine\n");
  assert.equal(readFileSync(join(root, "p/c.md"), "utf8"), "a\n");
  writeFileSync(join(root, "p/b.md"), "[[c]]\n");
  for (const again of (await planUndo(root, { count: 1, now: new Date() })).steps)
    await undoStep(workspace, again);
  assert.deepEqual(treeOf(root), before);
});

test("a change of several files that failed is not in the way of an undo", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n", "p/b.md": "mine\n" });
  const { call, workspace } = await connect(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  const changes = ["two\n", "not mine\n"].map((text, at) => ({
    path: at === 0 ? "p/a.md" : "p/b.md",
    before: contentOf(Buffer.from(text)),
    after: contentOf(Buffer.from("new\n")),
  }));
  await assert.rejects(
    locked(workspace.history, ["p"], (lockOf) => makeChanges(workspace.history, changes, { lockOf })),
    /'p\/b\.md' was changed/,
  );
  const { steps, conflict } = await planUndo(root, { count: 1, now: new Date() });
  assert.deepEqual([steps[0]?.operation.tool, conflict], ["update_doc", undefined]);
});

test("the files of one change get no names that some disks cannot tell apart, also those it makes itself", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "a\n" });
  const { workspace } = await connect(t, root);
  const text = contentOf(Buffer.from("a\n"));
  const made = (path: string) => ({ path, before: null, after: text });
  const change = (changes: FileChange[]) =>
    locked(workspace.history, ["p"], (lockOf) => makeChanges(workspace.history, changes, { lockOf }));
  await assert.rejects(change([made("p/b.md"), made("p/B.md")]), /already exists \(as 'b\.md'/);
  assert.deepEqual(readdirSync(join(root, "p")), ["a.md"]);
  await change([made("p/b.md"), { path: "p/a.md", before: text, after: null }, made("p/A.md")]);
  assert.deepEqual(readdirSync(join(root, "p")).sort(), ["A.md", "b.md"]);
});

test("documents that changed places are back after an undo", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "a\n", "p/b.md": "b\n" });
  const before = treeOf(root);
  const { workspace } = await connect(t, root);
  const moves = [
    { from: "p/a.md", to: "p/b.md" },
    { from: "p/b.md", to: "p/a.md" },
  ];
  await moveDocuments(workspace, moves);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "b\n");
  for (const step of (await planUndo(root, { count: 1, now: new Date() })).steps)
    await undoStep(workspace, step);
  assert.deepEqual(treeOf(root), before);
});

test("what changed outside is not undone, and stays in the way of older changes", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n", "q/b.md": "one\n" });
  const { call, workspace } = await connect(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  await call("update_doc", { project: "q", folder: "", filename: "b.md", content: "two\n" });
  appendFileSync(join(root, "p/a.md"), "mine\n");
  const { steps, conflict } = await planUndo(root, { count: 2, now: new Date() });
  assert.deepEqual(
    steps.map(({ changes }) => changes.map(({ path }) => path)),
    [["q/b.md"]],
  );
  assert.equal(conflict?.code, "CONFLICT");
  assert.deepEqual(conflict?.details["path"], "p/a.md");
  assert.equal(conflict?.details["diff"], "@@ line 1 @@\n-two\n-mine\n+one");
  const late = steps[0];
  assert.ok(late);
  appendFileSync(join(root, "q/b.md"), "mine\n");
  await assert.rejects(undoStep(workspace, late), { code: "CONFLICT", message: /'q\/b\.md'/ });
  assert.equal(readFileSync(join(root, "q/b.md"), "utf8"), "two\nmine\n");
});

test("a named change is undone as the files are then, also if another server wrote since it was planned", async (t) => {
  const task = "---\nowner: ben\n---\n# A\n\nStatus: pending\n";
  const root = makeWorkspace(t, { "p/tasks/001-a.md": task });
  const [{ call, workspace }, other] = [await connect(t, root), await connect(t, root)];
  await call("update_task_status", { project: "p", task: 1, status: "blocked" });
  const [done] = (await readLog(root)).operations;
  const [step] = await planUndoOf(root, [done?.id ?? ""]);
  assert.ok(step);
  await other.call("update_task", { project: "p", task: 1, priority: "high" });
  await undoStep(workspace, step);
  assert.equal(
    readFileSync(join(root, "p/tasks/001-a.md"), "utf8"),
    task.replace("ben\n", "ben\npriority: high\n"),
  );
});

test("undo keeps what a person changed elsewhere in the file", async (t) => {
  const lines = (second: string, last: string) => `# A\n\n${second}\n\nmiddle\n\n${last}\n`;
  const root = makeWorkspace(t, { "p/a.md": lines("one", "end") });
  const { call, workspace } = await connect(t, root);
  await call("update_doc", { path: "p/a.md", content: lines("two", "end") });
  writeFileSync(join(root, "p/a.md"), lines("two", "mine"));
  const { steps } = await planUndo(root, { count: 1, now: new Date() });
  for (const step of steps) await undoStep(workspace, step);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), lines("one", "mine"));
  const much = `${"word\n".repeat(60_000)}end`;
  await call("update_doc", { path: "p/a.md", content: lines("two", much) });
  writeFileSync(join(root, "p/a.md"), lines("two", `${much}, mine`));
  const { conflict } = await planUndo(root, { count: 1, now: new Date() });
  assert.equal(conflict?.code, "CONFLICT", "a merge of so much would hold other calls up");
});

test("undo stops at a change that an editor or git took back", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n\none\n\nend\n" });
  const { call } = await connect(t, root);
  await call("create_doc", { path: "p/b.md", content: "x" });
  await call("update_doc", { path: "p/a.md", content: "# A\n\ntwo\n\nend\n" });
  const [, older] = (await readLog(root)).operations.map(({ id }) => id).reverse();
  for (const text of ["# A\n\none\n\nend\n", "# A\n\none\n\nend\n\nmine\n"]) {
    writeFileSync(join(root, "p/a.md"), text);
    const { steps, conflict } = await planUndo(root, { count: 1, now: new Date() });
    assert.deepEqual([steps, conflict?.details["change"]], [[], older], text);
    const several = await planUndo(root, { count: 2, now: new Date() });
    const named = [several.gone, several.steps.map(({ operation }) => operation)].map(([one]) => one?.tool);
    assert.deepEqual(named, ["update_doc", "create_doc"], text);
  }
});

test("undoing a new project removes it, its archive too, but not with other files in it", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "x" });
  const { call, workspace } = await connect(t, root);
  for (const project of ["empty", "used"]) await call("init_project", { project });
  await call("create_task", { project: "empty", title: "A", objective: "a", status: "done" });
  await call("archive_tasks", { project: "empty", tasks: [1] });
  writeFileSync(join(root, "used", "tasks", "mine.txt"), "mine");
  for (const step of (await planUndo(root, { count: 4, now: new Date() })).steps)
    await undoStep(workspace, step);
  assert.deepEqual(
    readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort(),
    ["p", "used"],
  );
  assert.deepEqual(readdirSync(join(root, "used"), { recursive: true }).sort(), ["tasks", "tasks/mine.txt"]);
});

test("a write that fails is not in the history", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, fail } = await connect(t, root);
  replaceCall(t, "renameSync", (real) => (from, to) => {
    if (String(to).endsWith("a.md")) throw systemError("EIO");
    return real(from, to);
  });
  replaceCall(t, "linkSync", () => () => {
    throw systemError("EIO");
  });
  await fail("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  await fail("create_doc", { project: "p", folder: "", filename: "b.md", content: "new\n" });
  assert.deepEqual((await readLog(root)).operations, []);
  assert.equal((await call<{ total: number }>("history")).total, 0);
});

test("if old bytes cannot be stored, nothing is replaced, but files can be created", {
  skip: ON_WINDOWS,
}, async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n", ".vibe-mcp/elsewhere/": "" });
  symlinkSync(join(root, ".vibe-mcp/elsewhere"), join(root, ".vibe-mcp/history"));
  const { call, fail, logged } = await connect(t, root);
  const { code, message } = await fail("update_doc", {
    project: "p",
    folder: "",
    filename: "a.md",
    content: "two\n",
  });
  assert.equal(code, "FILESYSTEM_ERROR");
  assertTells(message, ["p/a.md", "--history off"]);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "one\n");
  await call("create_doc", { project: "p", folder: "", filename: "b.md", content: "new\n" });
  assert.match(logged.join(), /p\/b\.md .*not in the history: .*'\.vibe-mcp\/history'/);
});

test("a full disk keeps the old text of the file", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { fail } = await connect(t, root);
  replaceCall(t, "renameSync", (real) => (from, to) => {
    if (String(to).includes("history") || /\/[0-9a-f]{64}$/.test(String(to))) throw systemError("ENOSPC");
    return real(from, to);
  });
  const { message } = await fail("update_doc", {
    project: "p",
    folder: "",
    filename: "a.md",
    content: "two\n",
  });
  assert.match(message, /'p\/a\.md'.*disk is full/);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "one\n");
});

test("switched off, nothing is recorded, and all writes work", async (t) => {
  const root = makeWorkspace(t, RANDOM_WORKSPACE);
  const history = { on: false, days: 90, bytes: 1e9 };
  const { call, workspace } = await connect(t, root, { history });
  await call("update_doc", { project: "p", folder: "references", filename: "notes.md", content: "two\n" });
  await call("init_project", { project: "new" });
  const changes = ["p", "q"].map((name) => ({
    path: `${name}/x.md`,
    before: null,
    after: contentOf(Buffer.from(name)),
  }));
  await locked(workspace.history, ["p", "q"], (lockOf) =>
    makeChanges(workspace.history, changes, { lockOf }),
  );
  const path = "p/references/notes.md";
  const { hash } = await call<{ hash: string }>("read_doc", { path });
  await call("delete_doc", { path, expected_hash: hash });
  assert.deepEqual((await readLog(root)).operations, []);
  assert.deepEqual(new Journal(root, STATE).read(), []);
  assert.deepEqual(await listBlobs(root), []);
});

test("the history is not a document, not a project and not in the vault", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "unusualword\n" });
  const { call, fail } = await connect(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  const path = `.vibe-mcp/history/log/${readdirSync(join(root, ".vibe-mcp/history/log"))[0]}`;
  assert.equal((await fail("vault_scan", { path })).code, "forbidden");
  assert.equal((await fail("vault_replace", { path, find: "a", replace: "b" })).code, "forbidden");
  assert.doesNotMatch(JSON.stringify(await call("vault_ls", { path: "" })), /vibe-mcp/);
  assert.equal((await call<{ total_matches: number }>("search", { query: "unusualword" })).total_matches, 0);
  assert.deepEqual(
    (await call<{ projects: { name: string }[] }>("list_projects")).projects.map(({ name }) => name),
    ["p"],
  );
});

test("a path in a planted record leads nowhere outside", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n", "p/b.md": "x" });
  const { call } = await connect(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  const [log = ""] = readdirSync(join(root, ".vibe-mcp/history/log"));
  const file = join(root, ".vibe-mcp/history/log", log);
  const text = readFileSync(file, "utf8");
  for (const path of [
    "../planted.md",
    "/etc/planted",
    ".git/hooks/pre-commit",
    ".vibe-mcp/oauth-grants.json",
  ]) {
    writeFileSync(
      file,
      text.replace('"p/a.md"', JSON.stringify(path)).replace(/"after":"\w+"/, '"after":null'),
    );
    const { steps, conflict } = await planUndo(root, { count: 1, now: new Date() });
    assert.deepEqual([steps, conflict?.code], [[], undefined], path);
  }
});
