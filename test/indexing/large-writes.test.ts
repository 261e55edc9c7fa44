import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openImage } from "../../src/core/index/index-image.ts";
import { createLargeWrites } from "../../src/core/indexing/large-writes.ts";
import { readIndexFile } from "../../src/core/storage/index-file.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";

const PARAGRAPHS = 30_000;
const large = Array.from(
  { length: PARAGRAPHS },
  (_, n) => `koala ${n} ${"and more words ".repeat(8)}\n\n`,
).join("");

test("large writes run one at a time, and starts after a save has ended", async () => {
  let endSaving = () => {};
  let saving: Promise<void> | undefined = new Promise((resolve) => {
    endSaving = () => {
      saving = undefined;
      resolve();
    };
  });
  const writes = createLargeWrites(() => saving);
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    return name;
  };
  const both = [
    writes.run(work("a")),
    writes.run(work("b")),
    writes.run(() => Promise.reject(new Error("c"))),
  ];
  await Promise.resolve();
  assert.equal(await writes.whenIdle(() => order.length), 0);
  endSaving();
  const results = await Promise.allSettled(both);
  assert.deepEqual(order, ["a begins", "a ends", "b begins", "b ends"]);
  assert.equal(results[2]?.status, "rejected");
  assert.equal(await writes.whenIdle(() => order.length), 4);
});

test("a large document that is indexed again is never found or saved in part", async (t) => {
  const root = makeWorkspace(t, { "p/notes/large.md": large, "p/notes/a.md": "koala" });
  const { workspace, logged } = open(t, root);
  const chunks = async () =>
    workspace.index.query((db) =>
      Number(db.exec("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH 'koala'")[0]?.values[0]?.[0]),
    );
  const before = await chunks();
  assert.ok(before > 500);
  let isDone = false;
  const rebuilt = workspace.index.sync({ full: true }).finally(() => {
    isDone = true;
  });
  for (let n = 0; !isDone; n++) {
    writeFileSync(join(root, "p", "notes", "new.md"), `# New\n\nnumbat ${n}`);
    assert.equal(await workspace.index.syncFile("p/notes/new.md"), true);
    assert.equal(await chunks(), before);
    await workspace.index.sync({});
    // Files are read without yielding: a save that the rebuild waits for has its turn here.
    await setImmediate();
  }
  assert.equal((await rebuilt).deleted, 0);
  await workspace.close();
  assert.deepEqual(
    logged.filter((line) => /warn|error/.test(line)),
    [],
  );
  const saved = readIndexFile(join(root, "index.db"));
  assert.ok(saved !== undefined && openImage(saved) !== undefined);
});

test("a large document that was just written is found by simultaneous searches", async (t) => {
  const root = makeWorkspace(t, { "p/notes/a.md": "numbat" });
  const { workspace } = open(t, root);
  const find = async (query: string) => (await workspace.search({ query, filter: {}, limit: 5 })).total;
  assert.equal(await find("numbat"), 1);
  writeFileSync(join(root, "p", "notes", "large.md"), large);
  const indexed = workspace.index.syncFile("p/notes/large.md");
  assert.deepEqual(await Promise.all([find("koala"), find("numbat")]), [1, 1]);
  assert.equal(await indexed, true);
});
