import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { generateDocuments, writeCorpus } from "../../scripts/bench/corpus.ts";
import { spreadOf } from "../../scripts/bench/measure.ts";
import { isOver, type Row, renderTable } from "../../scripts/bench/report.ts";
import { runBench } from "../../scripts/bench/run.ts";

const DOCUMENTS = 200;
const PROGRAM = "dist/vibe-mcp.cjs";

function digest(seed: number): string {
  const hash = createHash("sha256");
  for (const document of generateDocuments({ documents: DOCUMENTS, seed }))
    hash.update(JSON.stringify(document));
  return hash.digest("hex");
}

describe("the generated corpus", () => {
  it("is the same for the same seed and another for another", () => {
    assert.equal(digest(1), digest(1));
    assert.notEqual(digest(1), digest(2));
  });

  it("gives every document a path of its own in about twenty projects", () => {
    const documents = [...generateDocuments({ documents: 2000, seed: 3 })];
    assert.equal(new Set(documents.map(({ path }) => path)).size, 2000);
    assert.equal(new Set(documents.map(({ path }) => path.split("/")[0])).size, 20);
  });

  it("has documents of 2 to 4 KB on average, some of them long", () => {
    const sizes = [...generateDocuments({ documents: 2000, seed: 4 })].map(({ text }) =>
      Buffer.byteLength(text),
    );
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    assert.ok(mean > 2048 && mean < 4096, `mean of ${mean} bytes`);
    assert.ok(sizes.some((size) => size > 28_000));
  });

  it("is written as it was generated", () => {
    const root = mkdtempSync(join(tmpdir(), "vibe-bench-test-"));
    try {
      const corpus = writeCorpus(root, { documents: 30, seed: 5 });
      const texts = [...generateDocuments({ documents: 30, seed: 5 })].map(({ text }) => text);
      assert.deepEqual(
        corpus.files.map((file) => readFileSync(file, "utf8")),
        texts,
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("the benchmark", () => {
  let place = "";
  let rows: Row[] = [];

  before(async () => {
    place = mkdtempSync(join(tmpdir(), "vibe-bench-test-"));
    const options = { documents: DOCUMENTS, seed: 1, repeats: 2, builds: 1, settle: 0, say: () => {} };
    rows = await runBench(PROGRAM, place, options);
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  it("measures finite, positive ratios and times", () => {
    for (const { name, ratio, values } of rows) {
      const numbers = [...Object.values(values), ...(ratio === undefined ? [] : Object.values(ratio))];
      assert.ok(
        numbers.every((number) => Number.isFinite(number) && number >= 0),
        name,
      );
      if (ratio !== undefined)
        assert.ok(ratio.min > 0 && ratio.min <= ratio.median && ratio.median <= ratio.max, name);
    }
  });

  it("has the promised targets on every machine", () => {
    const withTarget = rows.filter(({ target }) => target !== undefined).map(({ name }) => name);
    // ripgrep, the peak of memory and bytes written do not exist everywhere.
    const sometimes = /^(?:ripgrep|peak memory|bytes written)/;
    assert.deepEqual(
      withTarget.filter((name) => !sometimes.test(name)),
      [
        "cold start",
        "first search, warm index",
        "12 queries after a start",
        "sync, nothing changed",
        "idle call, watched",
        "write tool",
      ],
    );
  });

  it("measures ripgrep if it is installed", () => {
    const names = rows.map(({ name }) => name).filter((name) => name.startsWith("ripgrep: "));
    assert.equal(names.length, spawnSync("rg", ["--version"]).status === 0 ? 1 : 0);
  });

  it("finds the documents it searches for", () => {
    const found = rows.filter(({ name }) => /^search: .*(?:common|three|phrase|prefix|Japanese)/.test(name));
    assert.equal(found.length, 5);
    for (const { name, values } of found) assert.ok((values["total"] ?? 0) > 0, name);
  });

  it("prints one line for each measurement", () => {
    assert.equal(renderTable(rows).trimEnd().split("\n").length, rows.length + 1);
  });

  it("leaves an index behind", () => {
    assert.ok(readdirSync(join(place, "root")).includes("index.db"));
  });
});

describe("a spread", () => {
  it("has the middle value, or the mean of the two in the middle, as its median", () => {
    assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
    assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 });
  });

  it("is over its target when its median is", () => {
    const row = { name: "", detail: "", values: {}, ratio: spreadOf([1, 3, 5]) };
    assert.equal(isOver({ ...row, target: 2.9 }), true);
    assert.equal(isOver({ ...row, target: 3 }), false);
    assert.equal(isOver(row), false);
  });
});
