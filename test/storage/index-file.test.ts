import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { readIndexFile, releaseBytes, setAside, writeIndexFile } from "../../src/core/storage/index-file.ts";
import { replaceCall } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const posix = { skip: process.platform === "win32" };
const write = (file: string, parts: Uint8Array[], makeFolder = false) =>
  writeIndexFile({ file, makesFolder: makeFolder, check: () => {}, bytes: 7 }, parts);

const PARTS = [Buffer.from([0, 255, 10]), Buffer.from("seal")];

test("the index is read back byte for byte, and undefined if missing", async (t) => {
  const root = makeWorkspace(t, { "index.db": Buffer.concat(PARTS) });
  assert.deepEqual(Buffer.from(readIndexFile(join(root, "index.db")) ?? []), Buffer.concat(PARTS));
  assert.equal(readIndexFile(join(root, "none.db")), undefined);
  assert.equal(readIndexFile(join(root, "none", "index.db")), undefined);
  assert.equal(readIndexFile(join(root, "index.db", "index.db")), undefined);
});

test("an index that cannot be read is an error, not a missing one", async (t) => {
  assert.throws(() => readIndexFile(temporaryFolder(t)), /not a regular file/);
});

test("a link instead of the index is an error that names its target", posix, async (t) => {
  const root = makeWorkspace(t, { "target.db": "mine" });
  symlinkSync("target.db", join(root, "index.db"));
  assert.throws(() => readIndexFile(join(root, "index.db")), /is a link to 'target.db'/);
});

test("the index is replaced whole, and other programs' files beside it stay", async (t) => {
  const root = makeWorkspace(t, {
    "index.db": "an older and longer index",
    "index.db-wal": "",
    "index.db-shm": "",
    "index.db-journal": "",
    "index.db.bak": "kept",
    "other.db-wal": "kept",
  });
  const before = readdirSync(root);
  assert.equal(await write(join(root, "index.db"), PARTS), true);
  assert.deepEqual(readFileSync(join(root, "index.db")), Buffer.concat(PARTS));
  assert.deepEqual(readdirSync(root), before);
});

test("the check runs at the last moment, and its error keeps the file", async (t) => {
  const root = makeWorkspace(t, { "index.db": "another program's" });
  const file = join(root, "index.db");
  const check = () => {
    throw new Error(`${readIndexFile(file, 100)?.length} bytes that are not ours`);
  };
  await assert.rejects(writeIndexFile({ file, makesFolder: false, check, bytes: 7 }, PARTS), /17 bytes/);
  assert.equal(readFileSync(file, "utf8"), "another program's");
  assert.deepEqual(readdirSync(root), ["index.db"]);
});

test("an index that would take the last room of its disk is not written", async (t) => {
  const root = makeWorkspace(t, { "index.db": "old" });
  let bavail = 13;
  replaceCall(t, "statfsSync", () => () => ({ bavail, bsize: 1 }));
  await assert.rejects(write(join(root, "index.db"), PARTS), /needs room for twice its size/);
  assert.equal(readFileSync(join(root, "index.db"), "utf8"), "old");
  assert.deepEqual(readdirSync(root), ["index.db"]);
  bavail++;
  assert.equal(await write(join(root, "index.db"), PARTS), true);
});

test("a missing folder is made only with `makesFolder`", async (t) => {
  const root = temporaryFolder(t);
  const file = join(root, "deep", "folder", "index.db");
  assert.equal(await write(file, PARTS), false);
  assert.deepEqual(readdirSync(root), []);
  assert.equal(await write(file, PARTS, true), true);
  assert.deepEqual(readFileSync(file), Buffer.concat(PARTS));
});

test("a file instead of the folder is not written to", async (t) => {
  const root = makeWorkspace(t, { file: "mine" });
  assert.equal(await write(join(root, "file", "index.db"), PARTS), false);
  assert.equal(readFileSync(join(root, "file"), "utf8"), "mine");
});

test("an index that cannot be written is an error that leaves nothing behind", async (t) => {
  const root = makeWorkspace(t, { "index.db/mine.md": "mine", "index.db-wal": "kept" });
  await assert.rejects(write(join(root, "index.db"), PARTS, true));
  assert.deepEqual(readdirSync(root), ["index.db", "index.db-wal"]);
  assert.deepEqual(readdirSync(join(root, "index.db")), ["mine.md"]);
});

test("a foreign file is set aside under a dated name, and overwrites no other", async (t) => {
  const root = temporaryFolder(t);
  const now = new Date("2025-03-01T12:00:00.123Z");
  const kept: string[] = [];
  for (const content of ["first", "second", "third"]) {
    await write(join(root, "notes.db"), [Buffer.from(content)]);
    if (content === "second") writeFileSync(join(root, "notes.db-wal"), "journal");
    const aside = await setAside(join(root, "notes.db"), now);
    assert.ok(!existsSync(join(root, "notes.db")));
    assert.equal(readFileSync(aside, "utf8"), content);
    assert.equal(existsSync(`${aside}-wal`), content === "second");
    kept.push(basename(aside));
  }
  assert.equal(kept[0], "notes.db.2025-03-01T12-00-00-123Z.bak");
  assert.deepEqual(readdirSync(root).sort(), [...kept, `${kept[1]}-wal`].sort());
});

test("setting aside a missing file is an error", async (t) => {
  await assert.rejects(setAside(join(temporaryFolder(t), "none.db"), new Date()), { code: "ENOENT" });
});

test("the memory of an index file is given back at once", (t) => {
  const file = join(temporaryFolder(t), "index.db");
  writeFileSync(file, "x".repeat(20_000_000));
  const bytes = readIndexFile(file) ?? assert.fail();
  assert.equal(bytes.length, 20_000_000);
  const held = process.memoryUsage().rss;
  releaseBytes(bytes);
  const after = process.memoryUsage().rss;
  assert.ok(held - after > 15_000_000, `${held} → ${after}`);
});
