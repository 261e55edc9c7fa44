import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { type Engine, openEngine } from "../../src/sqlite/engine.ts";
import { SqliteError } from "../../src/sqlite/error.ts";
import { fillNotes } from "../fixtures/sample-database.ts";

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

  /** Reads and writes all over the image; gives the error, if there was one. */
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

  test("flipped bytes give an answer or a SqliteError, and the engine goes on", async () => {
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
      { numRuns: 150 },
    );
    await assertEngineWorks();
  });

  test("an overwritten page gives an answer or a SqliteError, and the engine goes on", async () => {
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

  test("something that is no database is corrupt", async () => {
    const error = await exercise(Buffer.from("# Notes\n\nNot a database at all.\n".repeat(100)));
    assert.equal(error?.code, 26);
    assert.equal(error?.kind, "corrupt");
    await assertEngineWorks();
  });
});
