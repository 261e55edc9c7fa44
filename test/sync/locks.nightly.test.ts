import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { runGit } from "../../src/core/git/run-git.ts";
import { noteProcess } from "../../src/core/storage/left-behind.ts";
import { isAlive } from "../../src/core/storage/temp-files.ts";
import { bareRepository, noGit, startMachine } from "../fixtures/machines.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const options = { skip: noGit };

async function oneMachine(t: TestContext) {
  const remote = bareRepository(t);
  const ana = await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n" } });
  const store = join(ana.folder, "notes.git");
  const leave = (folder: string, name: string) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    return file;
  };
  return { ana, remote, store, leave };
}

test("what a git that was killed left in the own repository stops no round", options, async (t) => {
  const { ana, store, leave } = await oneMachine(t);
  const names = [
    ...["remote", "base", "seen", "push/000001", "here/000001"].map((name) => `refs/vibe/${name}.lock`),
    ...["HEAD", "config", "packed-refs", "shallow", "index", "gc.pid"].map((name) => `${name}.lock`),
    ...["gc.pid", "packed-refs.new", "shallow_aB3xYz", "fast_import_crash_4711", "logs/refs/vibe/base.lock"],
    ...[
      "objects/info/commit-graph.lock",
      "objects/pack/multi-pack-index.lock",
      "objects/pack/tmp_pack_aB3xYz",
    ],
  ];
  for (const name of someOf(names)) {
    const file = leave(store, name);
    writeFiles(ana.root, { "p/status.md": `# P\n\nBeside ${name}.\n` });
    const { problem, sent } = await ana.sync();
    assert.deepEqual([problem, sent], [undefined, ["p/status.md"]], name);
    assert.ok(!existsSync(file), name);
  }
});

test("what a killed first round left stops no second", options, async (t) => {
  const { ana, store, leave } = await oneMachine(t);
  rmSync(store, { recursive: true });
  for (const name of ["HEAD.lock", "config.lock"]) leave(store, name);
  assert.equal((await ana.sync()).problem, undefined);
});

test(
  "a git that outlived its process keeps its lock, and the round says so; once it has ended, all goes on",
  options,
  async (t) => {
    const { ana, store, leave } = await oneMachine(t);
    const other = spawn("sleep", ["60"]);
    t.after(() => other.kill("SIGKILL"));
    noteProcess(join(ana.folder, "running"), other.pid ?? 0);
    const lock = leave(store, "refs/vibe/push/000001.lock");
    writeFiles(ana.root, { "p/status.md": "# P\n\nNew.\n" });
    const { problem, unsent } = await ana.sync();
    assert.match(problem ?? "", /copy of the notes is locked by a git that still runs/);
    assert.equal(unsent, 1);
    assert.ok(existsSync(lock));
    other.kill("SIGKILL");
    await once(other, "close");
    assert.deepEqual((await ana.sync()).sent, ["p/status.md"]);
  },
);

for (const { name, script } of [
  {
    name: "may remove its lock files",
    script: 'trap "rm -f $LOCK; exit 1" TERM; touch $LOCK; sleep 60 & wait',
  },
  {
    name: "is ended even if it does not listen",
    script: 'trap "" TERM; touch $READY; while :; do sleep 1; done',
  },
])
  test(`a git that is stopped ${name}`, { skip: noGit || process.platform === "win32" }, async (t) => {
    const folder = temporaryFolder(t);
    const [lock, pid] = [join(folder, "x.lock"), join(folder, "pid")];
    const lines = script.replaceAll(/\$(?:LOCK|READY)/g, lock);
    writeFileSync(join(folder, "git"), `#!/bin/sh\necho $$ > ${pid}\n${lines}\n`, { mode: 0o755 });
    const stop = new AbortController();
    const running = join(folder, "running");
    const run = runGit(
      { env: { PATH: `${folder}:${process.env["PATH"]}` }, repository: join(folder, "notes.git") },
      ["fetch"],
      { signal: stop.signal, running },
    );
    while (!existsSync(lock)) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    await assert.rejects(run, /it was stopped/);
    if (name.includes("lock")) assert.ok(!existsSync(lock));
    const number = Number(readFileSync(pid, "utf8"));
    while (isAlive(number)) await new Promise((resolve) => setTimeout(resolve, 10));
  });

test("a lock at the remote is named, and nothing else is blamed", options, async (t) => {
  const { ana, remote, leave } = await oneMachine(t);
  const lock = leave(remote, "refs/heads/vibe-notes.lock");
  writeFiles(ana.root, { "p/status.md": "# P\n\nNew.\n" });
  const { problem, unsent } = await ana.sync();
  assert.match(
    problem ?? "",
    /^the remote is locked: .* remove the file 'refs\/heads\/vibe-notes\.lock' from it$/,
  );
  assert.equal(unsent, 1);
  rmSync(lock);
  assert.deepEqual((await ana.sync()).sent, ["p/status.md"]);
});
