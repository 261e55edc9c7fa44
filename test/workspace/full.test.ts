import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { countDocuments } from "../../src/index/catalog.ts";
import { createSchema } from "../../src/index/schema.ts";
import { createLog } from "../../src/lib/log.ts";
import { openEngine } from "../../src/sqlite/engine.ts";
import { gateOf } from "../../src/storage/path-gate.ts";
import { readFile } from "../../src/storage/read.ts";
import type { SyncContext } from "../../src/workspace/batch.ts";
import { syncFile, syncIndex } from "../../src/workspace/sync.ts";
import { createTurns } from "../../src/workspace/turns.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const DOCUMENTS = 1500;
const MEGABYTE = 2 ** 20;
const textOf = (n: number) =>
  `# ${n}\n\nkoala ${Array.from({ length: 400 }, (_, word) => `w${n}x${word}`).join(" ")}\n`;

/** More documents than an engine with so much memory can index. */
async function crowded(t: TestContext, hasRoom?: () => boolean) {
  const root = makeWorkspace(
    t,
    Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, n) => [`p/${n}.md`, textOf(n)])),
  );
  const engine = await openEngine({ memoryLimit: 10 * MEGABYTE });
  const db = new engine.Database();
  t.after(() => db.close());
  createSchema(db);
  const logged: string[] = [];
  const context: SyncContext = {
    ...{ root, db, clock: { now: () => new Date() }, log: createLog("warn", (line) => logged.push(line)) },
    ...{ stamps: new Map(), warned: new Set(), hasRoom: hasRoom ?? engine.hasRoom, turns: createTurns() },
  };
  return { root, context, logged, engine };
}

const koalas = ({ db }: SyncContext, word = "koala") =>
  db.exec("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", [word])[0]?.values[0]?.[0];

for (const [how, hasRoom] of [
  ["is nearly full", undefined],
  ["runs out of memory", () => true],
] as const) {
  test(`an index that ${how} serves what fits, and says so once`, async (t) => {
    const { root, context, logged } = await crowded(t, hasRoom);
    const { stats } = await syncIndex(context, {});
    const fits = countDocuments(context.db);
    assert.ok(fits > 50 && fits < DOCUMENTS, `${fits}`);
    assert.equal(stats.added, fits);
    assert.equal(stats.unchanged, 0);
    assert.equal(context.stamps.size, fits);
    assert.equal(koalas(context), fits);
    writeFileSync(join(root, "p", "0.md"), "# Zero\n\npanda\n");
    assert.equal((await syncIndex(context, {})).stats.updated, 1);
    assert.equal(koalas(context, "panda"), 1);
    assert.equal(logged.filter((line) => line.includes("the index is full")).length, 1, logged.join());
  });
}

test("what is deleted makes room for what was left out", async (t) => {
  let isFull = false;
  const { root, context } = await crowded(t, () => !isFull);
  await syncIndex(context, {
    onProgress: () => {
      isFull = true;
    },
  });
  isFull = false;
  assert.equal((await syncIndex(context, {})).stats.added, 0, "it is not tried again in vain");
  const out = Array.from({ length: DOCUMENTS }, (_, n) => `p/${n}.md`).filter(
    (path) => context.stamps.get(path) === undefined,
  );
  for (const path of [...context.stamps.keys()].slice(0, 40)) rmSync(join(root, path));
  await syncIndex(context, {});
  assert.ok(out.some((path) => context.stamps.get(path) !== undefined));
});

test("a document that was written and did not fit is said not to be indexed", async (t) => {
  const { root, context } = await crowded(t, () => false);
  const read = readFile(gateOf(root), "p/1.md") ?? assert.fail();
  assert.equal(await syncFile(context, "p/1.md", read), false);
  const roomy = { ...context, warned: new Set<string>(), hasRoom: () => true };
  assert.equal(await syncFile(roomy, "p/1.md", read), true);
});
