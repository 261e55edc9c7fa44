import assert from "node:assert/strict";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openImage } from "../../src/core/index/index-image.ts";
import { hashOf } from "../../src/core/storage/read.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace, open, writeFiles } from "../fixtures/workspace.ts";

const PAGE = 8192;
const DOCUMENTS = 100;

/** An index of some megabytes comes of words that are all different. */
const words = (seed: string) =>
  Array.from({ length: 1200 }, (_, n) => hashOf(Buffer.from(`${seed} ${n}`)).slice(0, 40)).join(" ");

const FILES = Object.fromEntries(
  Array.from({ length: DOCUMENTS }, (_, n) => [
    `p/references/${n}.md`,
    `# Note ${n}\n\nnarwhal ${n % 2 === 0 ? "axolotl" : "quokka"}\n\n${words(`note ${n}`)}\n`,
  ]),
);

/** A server that is gone, with an index of some megabytes. */
async function indexed(t: TestContext): Promise<{ root: string; db: string; good: Buffer }> {
  const root = makeWorkspace(t, FILES);
  // So long after the files were written that their fingerprints are trusted.
  const { workspace } = open(t, root, { clock: { now: () => new Date(Date.now() + 10_000) } });
  await workspace.index.sync({});
  await workspace.close();
  const db = join(root, "index.db");
  const good = readFileSync(db);
  assert.ok(good.length > 5 * 1024 * 1024, `${good.length}`);
  return { root, db, good };
}

const total = async (workspace: ReturnType<typeof open>["workspace"], query: string) =>
  (await workspace.search({ query, filter: {}, limit: 10 })).total;

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !holds(); waited += 20) {
    assert.ok(waited < 60_000, what);
    await sleep(20);
  }
}

test("changes before and after the start are found, indexed and saved", async (t) => {
  const { root, db } = await indexed(t);
  writeFiles(root, { "p/references/0.md": "# Note\n\naxolotl\n", "p/new.md": "narwhal" });
  const { workspace } = open(t, root);
  assert.equal(await total(workspace, "narwhal"), DOCUMENTS);
  assert.equal(await total(workspace, "axolotl"), DOCUMENTS / 2);
  writeFiles(root, { "p/newer.md": "narwhal" });
  assert.equal(await workspace.index.syncFile("p/newer.md"), true);
  assert.equal(await total(workspace, "narwhal"), DOCUMENTS + 1);
  await workspace.close();
  assert.equal(openImage(readFileSync(db))?.fingerprints.size, DOCUMENTS + 2);
});

test("simultaneous calls with edits between them are all answered right", async (t) => {
  const { root } = await indexed(t);
  const { workspace } = open(t, root, { watch: true });
  for (let round = 1; round <= 30; round++) {
    writeFiles(root, { [`p/more-${round}.md`]: "narwhal" });
    const answers = await Promise.all([total(workspace, "narwhal"), total(workspace, "axolotl")]);
    assert.deepEqual(answers, [DOCUMENTS + round, DOCUMENTS / 2]);
    if (round % 10 === 0) await sleep(60);
  }
});

test("a full rebuild of a large index lets other calls be answered", async (t) => {
  const { root } = await indexed(t);
  const { workspace } = open(t, root);
  const [stats, found] = await Promise.all([
    workspace.index.sync({ full: true }),
    total(workspace, "narwhal"),
  ]);
  assert.deepEqual([stats.updated, found], [DOCUMENTS, DOCUMENTS]);
});

test("with a damaged page a large index answers right, and is rebuilt", async (t) => {
  const { root, db, good } = await indexed(t);
  const pages = Math.floor((openImage(good) ?? assert.fail()).database.length / PAGE);
  for (const page of someOf([0, 1, 2, Math.floor(pages / 3), Math.floor(pages / 2), pages - 1])) {
    const damaged = Buffer.from(good);
    const at = page * PAGE + 100;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(db, damaged);
    const { workspace, logged } = open(t, root, { watch: true });
    assert.equal(await total(workspace, "narwhal"), DOCUMENTS);
    assert.equal(await total(workspace, "axolotl"), DOCUMENTS / 2);
    await until(() => logged.some((line) => line.includes("rebuilding")), `page ${page} is noticed`);
    await until(() => openImage(readFileSync(db)) !== undefined, `page ${page} is rebuilt`);
    assert.equal(await total(workspace, "quokka"), DOCUMENTS / 2);
    await workspace.close();
    assert.equal(openImage(readFileSync(db))?.fingerprints.size, DOCUMENTS);
  }
});

test("a large index that is cut, overwritten or replaced under a server still answers right", async (t) => {
  const { root, db, good } = await indexed(t);
  const harms: Record<string, () => void> = {
    cut: () => writeFileSync(db, good.subarray(0, 3 * PAGE)),
    overwritten: () => writeFileSync(db, Buffer.alloc(good.length, 7)),
    replaced: () => {
      writeFileSync(`${db}.new`, "another program's");
      renameSync(`${db}.new`, db);
    },
  };
  for (const [what, harm] of Object.entries(harms)) {
    writeFileSync(db, good);
    const { workspace } = open(t, root);
    assert.equal(await total(workspace, "narwhal"), DOCUMENTS, what);
    harm();
    for (let n = 0; n < DOCUMENTS; n += 7) {
      const word = words(`note ${n}`).split(" ")[n] ?? assert.fail();
      assert.equal(await total(workspace, word), 1, what);
    }
    writeFiles(root, { "p/references/0.md": `# Note\n\n${what} axolotl\n` });
    assert.equal(await total(workspace, what), 1);
    writeFiles(root, { "p/references/0.md": FILES["p/references/0.md"] ?? "" });
    assert.equal(await total(workspace, "narwhal"), DOCUMENTS);
    const harmed = readFileSync(db);
    await workspace.close();
    // A foreign file is not replaced; the next start moves it away.
    if (what !== "cut") assert.deepEqual(readFileSync(db), harmed);
    const next = open(t, root).workspace;
    assert.equal(await total(next, "narwhal"), DOCUMENTS);
    await next.close();
    assert.equal(openImage(readFileSync(db))?.fingerprints.size, DOCUMENTS, what);
  }
});

test("edits and rebuilds right after a start are all indexed", async (t) => {
  const few = Object.fromEntries(Object.entries(FILES).slice(0, 8));
  const root = makeWorkspace(t, few);
  const first = open(t, root).workspace;
  await first.index.sync({});
  await first.close();
  for (const start of [0, 60, 90, 100, 110, 120, 140]) {
    const { workspace, logged } = open(t, root, { watch: true });
    assert.equal(await total(workspace, "narwhal"), 8);
    await sleep(start);
    const rebuilt = start % 20 === 0 ? workspace.index.sync({ full: true }) : undefined;
    for (let round = 1; round <= 10; round++) {
      writeFiles(root, { [`p/more-${round}.md`]: `narwhal round${round}` });
      if (round % 2 === 0) await workspace.index.syncFile(`p/more-${round}.md`);
      assert.equal(await total(workspace, `round${round}`), 1);
      await sleep(5);
    }
    assert.equal(await total(workspace, "narwhal"), 18);
    await rebuilt;
    await sleep(150);
    assert.equal(await total(workspace, "narwhal"), 18);
    await workspace.close();
    assert.ok(!logged.some((line) => line.includes("rebuilding")), logged.join());
    assert.equal(openImage(readFileSync(join(root, "index.db")))?.fingerprints.size, 18);
    for (let round = 1; round <= 10; round++) rmSync(join(root, "p", `more-${round}.md`));
  }
});
