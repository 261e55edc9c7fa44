import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { maintain } from "../../src/core/history/interrupted.ts";
import { Journal } from "../../src/core/history/journal.ts";
import { planUndo } from "../../src/core/history/undo.ts";
import { presentContent } from "../../src/core/storage/change-file.ts";
import { isTemporary } from "../../src/core/storage/temp-files.ts";
import { undoStep } from "../../src/core/workspace/undo.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { numRuns, someOf } from "../fixtures/num-runs.ts";
import { STATE } from "../fixtures/state.ts";
import { connect, makeWorkspace, open } from "../fixtures/workspace.ts";
import { killAtRandom } from "../hostile/runs.ts";

const FILES = { "p/a.md": "0", "p/c1.md": "0", "q/b.md": "0", "q/at-0.md": "moved\r\n" };

/** Runs the child that changes several files at once, until it kills itself at a file call. */
function changeMany(root: string, at: number): Promise<{ killed: boolean; calls: number }> {
  const script = fileURLToPath(new URL("../fixtures/history-child.ts", import.meta.url));
  const args = ["--import", "tsx", script, root, String(at)];
  return new Promise((done, failed) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error !== null && error.signal !== "SIGKILL") failed(new Error(stderr));
      else done({ killed: error !== null, calls: Number(stdout) });
    });
  });
}

function checkWhole(root: string): number {
  const round = Number(presentContent(root, "p/a.md")?.text);
  const files = (name: string) =>
    readdirSync(join(root, name)).map((file) => [
      `${name}/${file}`,
      readFileSync(join(root, name, file), "utf8"),
    ]);
  assert.deepEqual(
    Object.fromEntries([...files("p"), ...files("q")].filter(([file]) => !file?.includes("/."))),
    {
      "p/a.md": `${round}`,
      [`p/c${(round + 1) % 2}.md`]: `${round}`,
      "q/b.md": `${round}`,
      [`q/at-${round}.md`]: "moved\r\n",
    },
  );
  return round;
}

/** All files of an operation that a kill interrupted have their old bytes after the next start, or all their new ones. */
async function killAndRecover(t: TestContext, at: number): Promise<boolean> {
  const root = makeWorkspace(t, FILES);
  const { killed } = await changeMany(root, at);
  const { workspace } = open(t, root);
  const wasInterrupted = new Journal(root, STATE).read().length > 0;
  await maintain(workspace.history);
  const names = ["p", "q"].flatMap((project) => readdirSync(join(root, project)));
  if (wasInterrupted) assert.deepEqual(names.filter(isTemporary), []);
  const round = checkWhole(root);
  assert.deepEqual(new Journal(root, STATE).read(), []);
  const { steps } = await planUndo(root, { count: 10, now: new Date() });
  assert.equal(steps.length, round, "only whole operations are left to undo");
  for (const step of steps) await undoStep(workspace, step);
  assert.equal(checkWhole(root), 0);
  assert.equal(killed, true);
  return wasInterrupted;
}

test("a change of several files that was killed is undone at the next start", {
  skip: ON_WINDOWS,
}, async (t) => {
  const { calls } = await changeMany(makeWorkspace(t, FILES), 0);
  assert.ok(calls > 50);
  const kills = { what: "changes of several files", runs: numRuns(40), parallel: 4, calls };
  await killAtRandom(t, kills, (at) => killAndRecover(t, at));
});

const NEXT_WRITES: [tool: string, args: Record<string, unknown>][] = [
  ["create_task", { project: "p", title: "T", objective: "o" }],
  ["create_doc", { path: "p/references/new.md", content: "x" }],
  ["vault_create", { path: "p/scratch/new.txt", content: "x" }],
];

for (const [tool, args] of someOf(NEXT_WRITES))
  test(`the next write, ${tool}, undoes what was interrupted, and leaves what changed since`, {
    skip: ON_WINDOWS,
  }, async (t) => {
    const root = makeWorkspace(t, FILES);
    const { calls } = await changeMany(makeWorkspace(t, FILES), 0);
    for (
      let at = Math.floor(calls / 3);
      new Journal(root, STATE).read().length === 0 || presentContent(root, "q/b.md")?.text === "0";
      at++
    ) {
      rmSync(root, { recursive: true });
      for (const [path, text] of Object.entries(FILES)) {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      await changeMany(root, at);
    }
    writeFileSync(join(root, "q/b.md"), "mine");
    const { call, logged } = await connect(t, root);
    await call(tool, args);
    assert.deepEqual(new Journal(root, STATE).read(), []);
    assert.equal(readFileSync(join(root, "q/b.md"), "utf8"), "mine");
    assert.match(logged.join(), /interrupted change .*undone, .*q\/b\.md .*stays/);
  });
