import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { dateFile, makeWorkspace, type Opened, open } from "../fixtures/workspace.ts";

const DOCUMENTS = 400;

test("during a full rebuild, calls are answered between its batches and see changes", async (t) => {
  const text = `# Note\n\n${"some words to index again ".repeat(400)}`;
  const files = Array.from({ length: DOCUMENTS }, (_, at) => [`p/notes/${at}.md`, text]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const { workspace } = open(t, root);
  const find = async (query: string) =>
    (await workspace.search({ query, filter: {}, limit: 5 })).results.map(({ path }) => path);
  await find("words");

  let isRebuilt = false;
  let answered: Promise<void> | undefined;
  workspace.index.watch(({ done, total }) => {
    if (answered !== undefined || done === total) return;
    writeFileSync(join(root, "p", "notes", "0.md"), "# Note\n\nzanzibar");
    writeFileSync(join(root, "p", "notes", "new.md"), "# New\n\nquixotic");
    answered = find("zanzibar").then(async (paths) => {
      assert.deepEqual(paths, ["p/notes/0.md"]);
      assert.deepEqual(await find("quixotic"), ["p/notes/new.md"]);
      assert.equal(isRebuilt, false);
    });
  });
  const stats = await workspace.index.sync({ full: true });
  isRebuilt = true;
  assert.notEqual(answered, undefined);
  await answered;
  assert.equal(stats.scanned, DOCUMENTS);
  assert.deepEqual(await find("zanzibar"), ["p/notes/0.md"]);
  assert.deepEqual(await find("quixotic"), ["p/notes/new.md"]);
  assert.equal((await workspace.search({ query: "words", filter: {}, limit: 1 })).total, DOCUMENTS - 1);
});

test("a full rebuild notifies followers only of real changes", async (t) => {
  const files = Array.from({ length: 20 }, (_, at) => [`p/notes/${at}.md`, "# Note\n\nthe same"]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const { workspace } = open(t, root);
  await workspace.index.sync({});
  const paths: string[] = [];
  workspace.index.follow({ notify: (changes) => void paths.push(...changes.paths), isWaiting: () => false });
  writeFileSync(join(root, "p", "notes", "7.md"), "# Note\n\nanother text");
  assert.equal((await workspace.index.sync({ full: true })).updated, 20);
  while (paths.length === 0) await sleep(20);
  assert.deepEqual(paths.sort(), ["", "p", "p/notes/7.md"]);
});

test("closing a workspace ends its full rebuild between two batches", async (t) => {
  const text = `# Note\n\n${"some words to index again ".repeat(400)}`;
  const files = Array.from({ length: DOCUMENTS }, (_, at) => [`p/notes/${at}.md`, text]);
  const { workspace, logged } = open(t, makeWorkspace(t, Object.fromEntries(files)), { readOnly: true });
  await workspace.index.sync({});
  let closed: Promise<void> | undefined;
  workspace.index.watch(() => {
    closed ??= workspace.close();
  });
  const { updated } = await workspace.index.sync({ full: true });
  assert.ok(updated > 0 && updated < DOCUMENTS, `${updated}`);
  await closed;
  assert.deepEqual(
    logged.filter((line) => !line.includes("info")),
    [],
  );
});

test("in its first build, the newest notes are found first, with their share, by who does not wait", async (t) => {
  const text = `koala ${"some words to index again ".repeat(400)}`;
  const files = Array.from({ length: DOCUMENTS }, (_, at) => [`p/notes/${at}.md`, text]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const newest = `p/notes/${DOCUMENTS - 1}.md`;
  for (const [path = ""] of files) if (path !== newest) dateFile(root, path, "2026-01-01T12:00:00Z");
  const { workspace } = open(t, root);
  const find = (patience?: number) =>
    workspace.search({ query: "koala absentword", filter: {}, limit: 100 }, patience);
  const [partly, whole] = await Promise.all([find(1), find()]);
  assert.match(partly.indexing ?? "", /^[1-9]?\d%$/);
  assert.ok(partly.total < DOCUMENTS && partly.results.some(({ path }) => path === newest));
  assert.deepEqual([partly.missing, partly.isWeak, partly.corrected], [[], false, null]);
  assert.deepEqual([whole.total, whole.indexing, whole.missing], [DOCUMENTS, undefined, ["absentword"]]);
  for (const [path = ""] of files) writeFileSync(join(root, path), `quokka ${"words ".repeat(2000)}`);
  const changed = await workspace.search({ query: "quokka", filter: {}, limit: 1 }, 1);
  assert.deepEqual([changed.total, changed.indexing], [DOCUMENTS, undefined]);
});

test("a build that is stopped says so to who waits, and the next start goes on from there", async (t) => {
  const text = `koala ${"some words to index again ".repeat(400)}`;
  const files = Array.from({ length: DOCUMENTS }, (_, at) => [`p/notes/${at}.md`, text]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const find = ({ workspace }: Pick<Opened, "workspace">, patience?: number) =>
    workspace.search({ query: "koala", filter: {}, limit: 1 }, patience);
  const first = open(t, root);
  let done = 0;
  first.workspace.index.watch((progress) => {
    done = progress.done;
    first.workspace.stopIndexing();
  });
  for (const patience of [undefined, 60_000])
    await assert.rejects(find(first, patience), {
      code: "INDEX_ERROR",
      message: /has indexed \d+% of the files/,
    });
  await first.workspace.close();
  const second = open(t, root);
  const { added } = await second.workspace.index.sync({});
  assert.ok(done > 0 && added > 0 && added <= DOCUMENTS - done, `${added} ${done}`);
  assert.equal((await find(second)).total, DOCUMENTS);
});
