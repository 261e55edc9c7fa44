import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openImage, sealImage } from "../../src/core/index/index-image.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { replaceAsyncCall, systemError, withMode } from "../fixtures/disk.ts";
import { numRuns, SEED, someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";
import { randomFrom, report } from "./runs.ts";
import { serve } from "./server.ts";

const ANIMALS = ["narwhal", "axolotl", "quokka", "numbat", "okapi"];
const FILES = Object.fromEntries(
  Array.from({ length: 25 }, (_, n) => [
    `p/references/${n}.md`,
    `# Note ${n}\n\n${ANIMALS[n % 5]} ${"filler text ".repeat(60)}\n\n## Part\n\nsection ${n}\n`,
  ]),
);

interface Indexed {
  root: string;
  db: string;
  good: Buffer;
}

async function indexed(t: TestContext): Promise<Indexed> {
  const root = makeWorkspace(t, FILES);
  await start(t, root);
  const db = join(root, "index.db");
  return { root, db, good: readFileSync(db) };
}

/** One start: every animal must be found in its five documents. Returns the log. */
async function start(t: TestContext, root: string): Promise<string> {
  const { workspace, logged } = open(t, root);
  for (const query of ANIMALS) {
    const { total, results } = await workspace.search({ query, filter: {}, limit: 10 });
    assert.equal(total, 5, query);
    const wanted = Object.keys(FILES).filter((path) => FILES[path]?.includes(query));
    assert.deepEqual(results.map(({ path }) => path).sort(), wanted.sort());
  }
  await workspace.close();
  return logged.join("\n");
}

/** A start over a damaged index, which must be whole again after it. */
async function recovers(
  t: TestContext,
  { root, db }: Indexed,
  damaged: Uint8Array,
  what: string,
): Promise<void> {
  writeFileSync(db, damaged);
  const log = await start(t, root);
  assert.match(log, /rebuilding|was not an index/, what);
  assert.equal(openImage(readFileSync(db))?.fingerprints.size, 25, what);
  const others = readdirSync(root).filter((name) => name !== "p" && name !== "index.db");
  assert.equal(others.length, log.includes("was not an index") ? 1 : 0, `${what}: ${others.join()}`);
  for (const name of others) rmSync(join(root, name));
}

test("an index cut at any page is rebuilt", async (t) => {
  const place = await indexed(t);
  const pages = Math.ceil(place.good.length / 4096);
  const step = Math.max(1, Math.ceil(pages / numRuns(40)));
  let cuts = 0;
  for (let page = SEED % step; page < pages; page += step, cuts++)
    await recovers(t, place, place.good.subarray(0, page * 4096), `cut at page ${page}`);
  report(
    t,
    `an index of ${pages} pages, cut at the start of one`,
    cuts,
    "rebuilt, right answers, whole again",
  );
});

test("an index with one flipped bit is rebuilt, wherever it is", async (t) => {
  const place = await indexed(t);
  const random = randomFrom(SEED);
  const size = place.good.length;
  // The header, with the numbers that identify the file, and the trailer; then anywhere.
  const chosen = [16, 28, 60, 61, 63, 68, size - 20, size - 12, size - 8, size - 1];
  const count = numRuns(40);
  for (let run = 0; run < count; run++) {
    const at = chosen[(run + SEED) % 40] ?? Math.floor(random() * size);
    const bit = chosen.includes(at) ? 1 : Math.floor(random() * 8);
    const damaged = Buffer.from(place.good);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
    await recovers(t, place, damaged, `bit ${bit} of byte ${at}`);
  }
  report(t, "an index with one flipped bit", count, "rebuilt, right answers, whole again");
});

test("an index with two of its pages swapped is rebuilt", async (t) => {
  const place = await indexed(t);
  const image = openImage(place.good) ?? assert.fail();
  const random = randomFrom(SEED);
  const pages = Math.floor(image.database.length / 4096);
  const count = numRuns(40);
  let swaps = 0;
  for (let run = 0; run < count; run++) {
    const [a, b] = [Math.floor(random() * pages), Math.floor(random() * pages)].map((page) => page * 4096);
    if (a === undefined || b === undefined) continue;
    // Two equal pages can be swapped.
    if (image.database.subarray(a, a + 4096).every((byte, at) => byte === image.database[b + at])) continue;
    swaps++;
    const database = Buffer.from(image.database);
    database.set(image.database.subarray(a, a + 4096), b);
    database.set(image.database.subarray(b, b + 4096), a);
    const rest = place.good.subarray(database.length);
    await recovers(t, place, Buffer.concat([database, rest]), `pages at ${a} and ${b}`);
  }
  report(t, "an index with two pages swapped", swaps, "rebuilt, right answers, whole again");
});

const FOREIGN: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  text: Buffer.from("my shopping list\n".repeat(400)),
  zeroes: Buffer.alloc(64 * 1024),
  noise: Buffer.from(Array.from({ length: 32_768 }, (_, n) => (n * n * 31 + n) % 251)),
  "only the header of SQLite": Buffer.from("SQLite format 3\0"),
};

for (const [name, bytes] of someOf(Object.entries(FOREIGN))) {
  test(`the built server starts over an index of ${name}, with journals of others beside it`, async (t) => {
    const { root, db } = await indexed(t);
    writeFileSync(db, bytes);
    for (const suffix of ["-wal", "-shm", "-journal"]) writeFileSync(`${db}${suffix}`, "foreign");
    for (let round = 0; round < 2; round++) {
      const { call, close } = await serve(t, root);
      for (const query of ANIMALS) assert.equal((await call("search", { query }))["total_matches"], 5);
      await close();
    }
    assert.equal(openImage(readFileSync(db))?.fingerprints.size, 25);
    const kept = readdirSync(root).filter((file) => file.includes(".bak"));
    assert.equal(kept.filter((file) => file.endsWith(".bak")).length, 1);
    for (const file of kept)
      assert.deepEqual(
        readFileSync(join(root, file)),
        file.endsWith(".bak") ? bytes : Buffer.from("foreign"),
      );
    assert.equal(kept.length, 4);
    report(t, `instead of the index: ${name}`, 2, "kept aside with its journals, rebuilt");
  });
}

test("a newer schema is kept only if its file is intact", async (t) => {
  const place = await indexed(t);
  const { database, fingerprints } = openImage(place.good) ?? assert.fail();
  const { Database } = await openEngine();
  const db = new Database(database);
  db.run("PRAGMA user_version = 300");
  const newer = Buffer.concat([...sealImage(() => ({ database: db.export(), fingerprints }))]);
  db.close();
  writeFileSync(place.db, newer);
  assert.match(await start(t, place.root), /newer version/);
  assert.deepEqual(readFileSync(place.db), newer);
  newer[20_000] = (newer[20_000] ?? 0) ^ 1;
  await recovers(t, place, newer, "a damaged newer index");
  report(t, "an index of a newer version", 1, "kept, indexed in memory");
});

const READ_ONLY = { skip: process.platform === "win32" && "Windows keeps no permission bits" };

test(
  "a workspace without write permission is searched, logged once and left unchanged",
  READ_ONLY,
  async (t) => {
    const { root, db, good } = await indexed(t);
    chmodSync(db, 0o644);
    writeFileSync(db, good.subarray(0, 8192));
    const log = await withMode(root, 0o555, () => start(t, root));
    assert.equal(log.split("not be saved (the permission").length, 2, log);
    assert.deepEqual(readFileSync(db), good.subarray(0, 8192));
    report(t, "a folder that may not be written", 1, "right answers, one line in the log");
  },
);

for (const code of ["ENOSPC", "EIO", "EDQUOT", "EROFS", "EMFILE"]) {
  test(`an index that cannot be saved (${code}) leaves the old file and no temporary file`, async (t) => {
    const { root, db, good } = await indexed(t);
    writeFileSync(
      join(root, "p", "references", "0.md"),
      FILES["p/references/0.md"]?.replace("Part", "Piece") ?? "",
    );
    replaceAsyncCall(t, "open", () => async () => {
      throw systemError(code);
    });
    const log = await start(t, root);
    assert.equal(log.split("not be saved").length, 2, log);
    assert.ok(!log.includes("raw message"));
    assert.deepEqual(readFileSync(db), good);
    assert.deepEqual(readdirSync(root).sort(), ["index.db", "p"]);
    report(t, `${code} while the index is saved`, 1, "right answers, old file kept");
  });
}
