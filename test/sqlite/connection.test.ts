import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { SqliteError } from "../../src/core/sqlite/error.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { fillNotes } from "../fixtures/sample-database.ts";

describe("export", () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });

  test("an exported image holds the same rows when opened again", () => {
    const database = new engine.Database();
    fillNotes(database, 300);
    const copy = new engine.Database(database.export());
    for (const sql of ["SELECT * FROM documents", "SELECT rowid FROM notes WHERE notes MATCH 'word7'"]) {
      assert.deepEqual(copy.exec(sql), database.exec(sql));
      assert.ok(copy.exec(sql)[0]);
    }
    assert.deepEqual(copy.exec("PRAGMA integrity_check")[0]?.values, [["ok"]]);
    database.close();
    copy.close();
  });

  test("the header holds the length of the image", () => {
    const database = new engine.Database().run("PRAGMA page_size = 4096");
    fillNotes(database, 50);
    const image = Buffer.from(database.export());
    assert.equal(image.toString("latin1", 0, 16), "SQLite format 3\0");
    assert.equal(image.readUInt16BE(16), 4096);
    assert.equal(image.readUInt16BE(16) * image.readUInt32BE(28), image.length);
    database.close();
  });

  test("an empty database exports nothing, and nothing opens as an empty database", () => {
    const database = new engine.Database(new engine.Database(null).export());
    assert.equal(database.export().length, 0);
    assert.deepEqual(database.exec("SELECT count(*) FROM sqlite_schema")[0]?.values, [[0]]);
    database.close();
  });

  test("open statements and settings survive an export", () => {
    const database = new engine.Database().run("PRAGMA foreign_keys = ON; CREATE TEMP TABLE kept(a)");
    fillNotes(database, 20);
    const select = database.prepare("SELECT id FROM documents ORDER BY id");
    select.step();
    const image = database.export();
    assert.deepEqual(select.get(), [1]);
    select.step();
    assert.deepEqual(select.get(), [2]);
    assert.deepEqual(database.exec("PRAGMA foreign_keys; SELECT count(*) FROM kept").length, 2);
    assert.deepEqual(database.exec("PRAGMA foreign_keys")[0]?.values, [[1]]);
    assert.ok(image.length > 0);
    database.close();
  });

  test("an image is a copy: neither side sees what the other writes later", () => {
    const database = new engine.Database().run("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    const image = database.export();
    const before = Buffer.from(image);
    database.run("UPDATE t SET a = 2");
    assert.deepEqual(Buffer.from(image), before);
    const copy = new engine.Database(image);
    image.fill(0);
    assert.deepEqual(copy.exec("SELECT a FROM t")[0]?.values, [[1]]);
    database.close();
    copy.close();
  });

  test("exporting while a transaction is writing is refused; after it, or while reading, it works", () => {
    const database = new engine.Database().run("CREATE TABLE t(a); BEGIN; INSERT INTO t VALUES (1)");
    assert.throws(() => database.export(), { kind: "misuse" });
    database.run("COMMIT; BEGIN; SELECT * FROM t");
    assert.deepEqual(new engine.Database(database.export()).exec("SELECT a FROM t")[0]?.values, [[1]]);
    database.run("COMMIT").close();
  });

  test("the sqlite3 shell reads an exported image", { skip: !hasShell() && "no sqlite3 shell here" }, () => {
    const database = new engine.Database();
    database.run("CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'canción'), (2, NULL)");
    database.run("CREATE VIRTUAL TABLE n USING fts5(x); INSERT INTO n VALUES ('some words')");
    const folder = mkdtempSync(join(tmpdir(), "sqlite-export-"));
    try {
      const file = join(folder, "image.db");
      writeFileSync(file, database.export());
      assert.equal(shell(file, "PRAGMA integrity_check; SELECT * FROM t"), "ok\n1|canción\n2|\n");
      assert.equal(shell(file, "SELECT x FROM n WHERE n MATCH 'words'"), "some words\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
    database.close();
  });
});

describe("damaged images", () => {
  let engine: Engine;
  let image: Uint8Array;

  before(async () => {
    engine = await openEngine();
    const database = new engine.Database().run("PRAGMA page_size = 1024");
    fillNotes(database, 200);
    image = database.export();
    database.close();
  });

  /** Reads and writes all over the image; returns the error, if any. */
  async function exercise(bytes: Uint8Array): Promise<SqliteError | undefined> {
    try {
      const database = new engine.Database(bytes);
      try {
        database.exec("SELECT count(*), sum(length(text)) FROM documents");
        database.exec("SELECT rowid, bm25(notes) FROM notes WHERE notes MATCH 'word7 OR word1*' ORDER BY 2");
        database.run("DELETE FROM notes WHERE rowid = 5; INSERT INTO notes(rowid, text) VALUES (5, 'new')");
        database.run("INSERT OR REPLACE INTO documents VALUES (7, 'x', 'y')");
        database.export();
      } finally {
        database.close();
      }
      return undefined;
    } catch (error) {
      assert.ok(error instanceof SqliteError, String(error));
      if (error.fatal) engine = await engine.renew();
      return error;
    }
  }

  async function assertEngineWorks(): Promise<void> {
    const { used } = engine.memory();
    assert.equal(await exercise(image), undefined);
    assert.equal(engine.memory().used, used);
  }

  test("flipped bytes give an answer or a SqliteError, and the engine still works", async () => {
    const flips = fc.array(fc.tuple(fc.nat(image.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(flips, async (places) => {
        const damaged = image.slice();
        for (const [place, mask] of places) damaged[place] = (damaged[place] ?? 0) ^ mask;
        await exercise(damaged);
      }),
      { numRuns: numRuns(500) },
    );
    await assertEngineWorks();
  });

  test("an overwritten page gives an answer or a SqliteError, and the engine still works", async () => {
    for (let page = 1; page < image.length / 1024; page += 3) {
      const damaged = image.slice();
      damaged.set(image.subarray((page - 1) * 1024, page * 1024), page * 1024);
      await exercise(damaged);
      damaged.fill(0xff, page * 1024, (page + 1) * 1024);
      await exercise(damaged);
    }
    await assertEngineWorks();
  });

  test("a truncated image is corrupt", async () => {
    for (const length of [1, 99, 100, 1024, 1025, image.length >> 1, image.length - 1024]) {
      const error = await exercise(image.slice(0, length));
      assert.equal(error?.kind, "corrupt", `${length} bytes: ${error?.message}`);
    }
    await assertEngineWorks();
  });

  test("bytes after the last page are tolerated", async () => {
    assert.equal(await exercise(Buffer.concat([image, Buffer.alloc(16, 7)])), undefined);
  });

  test("anything else than a database is corrupt", async () => {
    const error = await exercise(Buffer.from("# Notes\n\nNot a database at all.\n".repeat(100)));
    assert.equal(error?.code, 26);
    assert.equal(error?.kind, "corrupt");
    await assertEngineWorks();
  });
});

function hasShell(): boolean {
  try {
    return (
      shell(":memory:", "SELECT 1 FROM pragma_compile_options WHERE compile_options = 'ENABLE_FTS5'") !== ""
    );
  } catch {
    // Not installed or not executable: the comparison is skipped.
    return false;
  }
}

function shell(file: string, sql: string): string {
  return execFileSync("sqlite3", [file, sql], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
