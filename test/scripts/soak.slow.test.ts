import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compare, type Tally } from "../../scripts/soak/check.ts";
import { levelOf, soak } from "../../scripts/soak/run.ts";
import { builtFile } from "../fixtures/built.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const skip = process.platform !== "linux" && "letter case and accents of names are those of Linux";

test("the answers of a server agree with the files while others write", { skip }, async (t) => {
  const [root, home] = [join(temporaryFolder(t), "root"), temporaryFolder(t)];
  mkdirSync(root);
  const options = { program: builtFile(t), root, home, seed: 3, minutes: 0.05, say: () => {} };
  const { compared, wrong, edits, writes, samples } = await soak(options);
  assert.deepEqual(wrong, []);
  for (const tool of ["list_tasks", "search"]) assert.ok((compared[tool] ?? 0) > 0, tool);
  assert.ok(edits > 0 && writes > 0);
  assert.ok(samples.every((one) => one.length > 0));
});

test("a wrong answer is noticed, and one that overlaps a change is skipped", async () => {
  const tally: Tally = { compared: {}, overlapped: 0, wrong: [] };
  let [held, changes] = ["old", 0];
  const question = { tool: "t", truth: () => held, version: () => changes };
  await compare(tally, { ...question, ask: async () => "old" });
  assert.deepEqual(tally, { compared: { t: 1 }, overlapped: 0, wrong: [] });
  await compare(tally, { ...question, ask: async () => "stale" });
  await compare(tally, { ...question, ask: () => Promise.reject(new Error("no")) });
  assert.deepEqual(tally.wrong, [
    't: "stale" instead of "old"',
    't: "it failed: Error: no" instead of "old"',
  ]);
  const change = async () => {
    held = "new";
    return "old";
  };
  await compare(tally, { ...question, ask: change });
  changes = 1;
  await compare(tally, { ...question, ask: async () => "any" });
  assert.deepEqual([tally.compared["t"], tally.overlapped, tally.wrong.length], [3, 2, 2]);
});

test("memory or open files that grow are noticed", () => {
  const samples = (of: (n: number) => object) =>
    Array.from({ length: 40 }, (_, n) => ({ memory: 1e8, descriptors: 20, ...of(n) }));
  assert.equal(levelOf(samples(() => ({}))).isLevel, true);
  assert.equal(levelOf(samples((n) => ({ memory: 1e8 + n * 5e6 }))).isLevel, false);
  assert.equal(levelOf(samples((n) => ({ descriptors: 20 + n }))).isLevel, false);
});
