import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Image, openImage, sealImage } from "../../src/core/index/index-image.ts";
import { SCHEMA_VERSION } from "../../src/core/index/schema.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { Workspace } from "../../src/core/workspace/workspace.ts";
import { replaceAsyncCall, systemError, withMode } from "../fixtures/disk.ts";
import { connect, makeWorkspace, open, temporaryFolder } from "../fixtures/workspace.ts";

const FILES = { "p/tasks/001-a.md": "# Task: A\n\nStatus: done\n\nnarwhal\n", "p/b.md": "# B\n\nnarwhal\n" };

const find = async (t: TestContext, root: string, settings: Parameters<typeof open>[2] = {}) => {
  const { workspace, logged } = open(t, root, settings);
  const { total } = await workspace.search({ query: "narwhal", filter: {}, limit: 10 });
  await workspace.close();
  return { total, logged };
};

/** A workspace with its index, closed. */
async function indexed(t: TestContext): Promise<{ root: string; db: string; bytes: Buffer }> {
  const root = makeWorkspace(t, FILES);
  assert.equal((await find(t, root)).total, 2);
  const db = join(root, "index.db");
  return { root, db, bytes: readFileSync(db) };
}

const opened = (bytes: Uint8Array) => openImage(bytes) ?? assert.fail("not an image");
const sealed = ({ database, fingerprints }: Image) =>
  Buffer.concat([...sealImage(() => ({ database: database, fingerprints }))]);

const isGood = (db: string) => openImage(readFileSync(db)) !== undefined;

test("a good index is loaded without a log line and not written again", async (t) => {
  const { root, db, bytes } = await indexed(t);
  const { total, logged } = await find(t, root);
  assert.equal(total, 2);
  assert.deepEqual(logged, []);
  assert.deepEqual(readFileSync(db), bytes);
});

test("the index file opens in SQLite", async (t) => {
  const { bytes } = await indexed(t);
  const { Database } = await openEngine();
  const db = new Database(bytes);
  assert.deepEqual(db.exec("SELECT path, status FROM documents ORDER BY path")[0]?.values, [
    ["p/b.md", null],
    ["p/tasks/001-a.md", "done"],
  ]);
  const [major, minor] = [Math.floor(SCHEMA_VERSION / 100), SCHEMA_VERSION % 100];
  const version = db.exec("SELECT value FROM meta WHERE key = 'schema_version'")[0]?.values[0]?.[0];
  assert.equal(version, `${major}.${minor}`);
  db.close();
});

const damages: Record<string, (bytes: Buffer) => Buffer> = {
  "cut in half": (bytes) => bytes.subarray(0, bytes.length / 2),
  "cut by one byte": (bytes) => bytes.subarray(0, -1),
  "without its trailer": (bytes) => bytes.subarray(0, -24),
  "with one flipped bit": (bytes) => {
    const copy = Buffer.from(bytes);
    copy[20_000] = (copy[20_000] ?? 0) ^ 4;
    return copy;
  },
  "with two pages swapped": (bytes) => {
    const pages = (from: number, to: number) => bytes.subarray(from * 4096, to * 4096);
    return Buffer.concat([pages(0, 2), pages(3, 4), pages(2, 3), bytes.subarray(4 * 4096)]);
  },
  "with its full-text pages zeroed and the trailer made to fit": (bytes) => {
    const { database, fingerprints } = opened(bytes);
    return sealed({ database: Buffer.from(database).fill(0, 4096 * 12), fingerprints });
  },
  "with random pages and a trailer that fits": (bytes) => {
    const { fingerprints, database: good } = opened(bytes);
    const database = Buffer.from(good);
    for (let at = 4096; at < database.length; at += 97) database[at] = (at * 31) % 251;
    return sealed({ database, fingerprints });
  },
};

for (const [name, damage] of Object.entries(damages)) {
  test(`an index ${name} is rebuilt, answers right and is good again`, async (t) => {
    const { root, db, bytes } = await indexed(t);
    writeFileSync(db, damage(bytes));
    const { total, logged } = await find(t, root);
    assert.equal(total, 2);
    assert.equal(logged.filter((line) => line.includes("rebuilding")).length, 1);
    assert.ok(isGood(db));
    assert.deepEqual(readdirSync(root).sort(), ["index.db", "p"]);
  });
}

test("a file that is no index is kept under another name", async (t) => {
  const root = makeWorkspace(t, FILES);
  writeFileSync(join(root, "index.db"), "my shopping list");
  assert.equal((await find(t, root)).total, 2);
  const kept = readdirSync(root).find((name) => name.endsWith(".bak")) ?? assert.fail();
  assert.equal(readFileSync(join(root, kept), "utf8"), "my shopping list");
  assert.ok(isGood(join(root, "index.db")));
});

test("an index of a newer version is left alone", async (t) => {
  const { root, db, bytes } = await indexed(t);
  const { Database } = await openEngine();
  const { database, fingerprints } = opened(bytes);
  const newer = new Database(database);
  newer.run("PRAGMA user_version = 300");
  const file = sealed({ database: newer.export(), fingerprints });
  newer.close();
  writeFileSync(db, file);
  writeFileSync(join(root, "p", "c.md"), "narwhal");
  const { total, logged } = await find(t, root);
  assert.equal(total, 3);
  assert.match(logged.join(""), /newer version/);
  assert.deepEqual(readFileSync(db), file);
  file[20_000] = (file[20_000] ?? 0) ^ 1;
  writeFileSync(db, file);
  assert.match((await find(t, root)).logged.join(""), /rebuilding/);
});

test("a file named with --db that is not an index stays", async (t) => {
  const root = makeWorkspace(t, FILES);
  const db = join(temporaryFolder(t), "other.db");
  for (const bytes of ["", "my shopping list", "CREATE VIRTUAL TABLE chunks_fts"]) {
    writeFileSync(db, bytes);
    const { total, logged } = await find(t, root, { db, dbNamed: true });
    assert.equal(total, 2);
    assert.match(logged.join(""), /other\.db is not an index.*--db/);
    assert.equal(readFileSync(db, "utf8"), bytes);
  }
});

test("an index with other tables than ours is rebuilt", async (t) => {
  const { root, db, bytes } = await indexed(t);
  const { Database } = await openEngine();
  const { database, fingerprints } = opened(bytes);
  const planted = new Database(database);
  planted.run("ALTER TABLE projects RENAME TO others");
  planted.run(
    "CREATE VIEW projects AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT id FROM n",
  );
  writeFileSync(db, sealed({ database: planted.export(), fingerprints }));
  planted.close();
  const { total, logged } = await find(t, root);
  assert.equal(total, 2);
  assert.match(logged.join(""), /rebuilding/);
});

test("an index of an older version with the same tables is rebuilt: its rows may read notes differently", async (t) => {
  const { root, db, bytes } = await indexed(t);
  const { Database } = await openEngine();
  const { database, fingerprints } = opened(bytes);
  const older = new Database(database);
  older.run(`PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
  older.run("DELETE FROM documents");
  writeFileSync(db, sealed({ database: older.export(), fingerprints }));
  older.close();
  const { total, logged } = await find(t, root);
  assert.equal(total, 2);
  assert.match(logged.join(""), /rebuilding/);
});

test("a read-only server keeps the index that a root lacks in the state folder, or where --db says", async (t) => {
  const root = makeWorkspace(t, FILES);
  const state = temporaryFolder(t);
  const kept = () => {
    const [name = "", ...others] = readdirSync(join(state, "documents"));
    assert.deepEqual(others, []);
    return join(state, "documents", name);
  };
  await find(t, root, { readOnly: true, state });
  const { mtimeMs } = statSync(kept());
  assert.equal((await find(t, root, { readOnly: true, state })).total, 2);
  assert.equal(statSync(kept()).mtimeMs, mtimeMs);
  assert.deepEqual(readdirSync(root), ["p"]);
  // After a purge it may hold words that are gone.
  mkdirSync(join(root, ".vibe-mcp", "history"), { recursive: true });
  writeFileSync(join(root, ".vibe-mcp", "history", "purged"), "");
  assert.equal((await find(t, root, { readOnly: true, state })).total, 2);
  assert.ok(statSync(kept()).mtimeMs > mtimeMs);
  const { root: other } = await indexed(t);
  const none = temporaryFolder(t);
  await find(t, other, { readOnly: true, state: none });
  assert.deepEqual(readdirSync(none), []);
  const db = join(temporaryFolder(t), "made", "on", "demand.db");
  await find(t, root, { readOnly: true, db, dbNamed: true });
  assert.ok(isGood(db));
});

test("--reindex starts from the files", async (t) => {
  const { root } = await indexed(t);
  const { workspace } = open(t, root, { reindex: true });
  const { added } = await workspace.index.sync({});
  assert.equal(added, 2);
});

test("an index that cannot be saved is reported once, and still answers", async (t) => {
  const root = makeWorkspace(t, FILES);
  const db = join(root, "p", "b.md", "index.db");
  const { total, logged } = await find(t, root, { db, dbNamed: true });
  assert.equal(total, 2);
  assert.equal(logged.filter((line) => line.includes("not be saved")).length, 1);
  assert.ok(!logged.join("").includes(root));
});

test("a folder that may not be written keeps its damaged index, and a full disk the old one, without litter", {
  skip: process.platform === "win32" && "Windows keeps no permission bits",
}, async (t) => {
  const { root, db, bytes } = await indexed(t);
  for (const during of ["EACCES", "ENOSPC"]) {
    chmodSync(db, 0o644);
    writeFileSync(db, bytes.subarray(0, 8192));
    if (during === "ENOSPC")
      replaceAsyncCall(t, "open", () => async () => {
        throw systemError(during);
      });
    const mode = during === "EACCES" ? 0o555 : 0o755;
    const { total, logged } = await withMode(root, mode, () => find(t, root));
    assert.deepEqual([total, logged.filter((line) => line.includes("not be saved")).length], [2, 1], during);
    assert.doesNotMatch(logged.join(""), /raw message/);
    assert.deepEqual(readFileSync(db), bytes.subarray(0, 8192));
    assert.deepEqual(readdirSync(root).sort(), ["index.db", "p"]);
  }
});

test("a workspace that vanishes keeps what was indexed until it is back", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { workspace } = open(t, root);
  const count = async () => (await workspace.search({ query: "narwhal", filter: {}, limit: 10 })).total;
  assert.equal(await count(), 2);
  renameSync(root, `${root}-away`);
  t.after(() => existsSync(`${root}-away`) && renameSync(`${root}-away`, root));
  assert.equal(await count(), 2);
  renameSync(`${root}-away`, root);
  writeFileSync(join(root, "p", "c.md"), "narwhal");
  assert.equal(await count(), 3);
});

test("two servers over one workspace see each other's files and share the index file", async (t) => {
  const root = makeWorkspace(t, FILES);
  const [one, two] = [open(t, root).workspace, open(t, root).workspace];
  const count = async (from: typeof one) =>
    (await from.search({ query: "narwhal", filter: {}, limit: 10 })).total;
  assert.deepEqual(await Promise.all([count(one), count(two)]), [2, 2]);
  for (let round = 3; round < 8; round++) {
    writeFileSync(join(root, "p", `${round}.md`), "narwhal");
    assert.deepEqual(await Promise.all([count(one), count(two)]), [round, round]);
  }
  await Promise.all([one.close(), two.close()]);
  assert.ok(isGood(join(root, "index.db")));
  assert.deepEqual(readdirSync(root).sort(), ["index.db", "p"]);
});

/** The names that the index file had: each save makes a new one. */
function savesOf(root: string): () => number {
  const files = new Set<bigint>();
  return () => files.add(statSync(join(root, "index.db"), { bigint: true }).mtimeNs).size - 1;
}

const total = async ({ workspace }: { workspace: Workspace }) =>
  (await workspace.search({ query: "narwhal", filter: {}, limit: 10 })).total;

test("saves hold bursts of writes; servers that only saw them save nothing, also at their end", async (t) => {
  const { root } = await indexed(t);
  const saves = savesOf(root);
  const [writer, one, two] = [await connect(t, root), open(t, root), open(t, root)];
  assert.equal(saves(), 0);
  const began = Date.now();
  for (let count = 1; count <= 5; count++) {
    await writer.call("create_doc", { path: `p/references/${count}.md`, content: "# N\n\nnarwhal\n" });
    assert.deepEqual([await total(one), await total(two)], [2 + count, 2 + count]);
    saves();
  }
  const seconds = Math.ceil((Date.now() - began) / 1000);
  for (let waited = 0; saves() < 1; waited += 20) {
    assert.ok(waited < 10_000);
    await sleep(20);
  }
  await writer.workspace.close();
  const done = saves();
  assert.ok(done <= seconds, `${done} saves of a burst of ${seconds} s`);
  for (const { workspace } of [one, two]) await workspace.close();
  assert.equal(saves(), done);
});

test("what an editor changed is saved once, at the end of the first server that saw it", async (t) => {
  const { root, db } = await indexed(t);
  const saves = savesOf(root);
  const [one, two] = [open(t, root), open(t, root)];
  assert.equal(saves(), 0);
  writeFileSync(join(root, "p", "c.md"), "narwhal");
  assert.deepEqual([await total(one), await total(two)], [3, 3]);
  await sleep(1500);
  assert.equal(saves(), 0);
  for (const { workspace } of [one, two]) {
    await workspace.close();
    assert.equal(saves(), 1);
  }
  assert.ok(opened(readFileSync(db)).fingerprints.has("p/c.md"));
});

test("an index that nobody can use is replaced by a server that changed nothing", async (t) => {
  const { root, db } = await indexed(t);
  const server = open(t, root);
  writeFileSync(join(root, "p", "c.md"), "narwhal");
  assert.equal(await total(server), 3);
  writeFileSync(db, readFileSync(db).subarray(0, -1));
  await server.workspace.close();
  assert.ok(isGood(db));
});

test("an index path that is a pipe or a link is not replaced", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = makeWorkspace(t, FILES);
  const folder = temporaryFolder(t);
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.equal((await find(t, root, { db: pipe, dbNamed: true })).total, 2);
  assert.ok(lstatSync(pipe).isFIFO());
  const [link, target] = [join(folder, "link.db"), join(folder, "target.db")];
  for (const content of ["", "not ours", (await indexed(t)).bytes]) {
    writeFileSync(target, content);
    symlinkSync(target, link);
    const { total, logged } = await find(t, root, { db: link, dbNamed: true });
    assert.equal(total, 2);
    assert.match(logged.join(""), /link\.db .*link .*'.*target\.db'.*in memory/);
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.deepEqual(readFileSync(target), Buffer.from(content));
    rmSync(link);
  }
});

test("a link that replaces the index later is not followed by a save", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = makeWorkspace(t, FILES);
  const target = join(temporaryFolder(t), "authorized_keys");
  writeFileSync(target, "ssh-ed25519 mine");
  const { workspace, logged } = open(t, root);
  await workspace.search({ query: "narwhal", filter: {}, limit: 1 });
  rmSync(join(root, "index.db"), { force: true });
  symlinkSync(target, join(root, "index.db"));
  await workspace.close();
  assert.equal(readFileSync(target, "utf8"), "ssh-ed25519 mine");
  assert.ok(lstatSync(join(root, "index.db")).isSymbolicLink());
  assert.match(logged.join(""), /not be saved .*index\.db .*link/);
});
