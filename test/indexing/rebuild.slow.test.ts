import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeWorkspace, open } from "../fixtures/workspace.ts";

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
  const stats = await workspace.index.sync({
    full: true,
    onProgress: (done, total) => {
      if (answered !== undefined || done === total) return;
      writeFileSync(join(root, "p", "notes", "0.md"), "# Note\n\nzanzibar");
      writeFileSync(join(root, "p", "notes", "new.md"), "# New\n\nquixotic");
      answered = find("zanzibar").then(async (paths) => {
        assert.deepEqual(paths, ["p/notes/0.md"]);
        assert.deepEqual(await find("quixotic"), ["p/notes/new.md"]);
        assert.equal(isRebuilt, false);
      });
    },
  });
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

test("closing a workspace waits for its full rebuild", async (t) => {
  const text = `# Note\n\n${"some words to index again ".repeat(400)}`;
  const files = Array.from({ length: DOCUMENTS }, (_, at) => [`p/notes/${at}.md`, text]);
  const { workspace, logged } = open(t, makeWorkspace(t, Object.fromEntries(files)), { readOnly: true });
  await workspace.index.sync({});
  let last = 0;
  let closed: Promise<void> | undefined;
  const rebuilt = workspace.index.sync({
    full: true,
    onProgress: (done) => {
      const isFirst = last === 0;
      last = done;
      if (!isFirst) closed ??= workspace.close().then(() => assert.equal(last, DOCUMENTS));
    },
  });
  assert.equal((await rebuilt).updated, DOCUMENTS);
  await closed;
  assert.deepEqual(
    logged.filter((line) => !line.includes("info")),
    [],
  );
});
