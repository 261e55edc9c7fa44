import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createFile, replaceFile } from "../../src/core/storage/atomic-write.ts";
import { listLocks } from "../../src/core/storage/inspect.ts";
import { hasEnded, isAbandoned } from "../../src/core/storage/lock-entry.ts";
import { type Lock, withLock } from "../../src/core/storage/locks.ts";
import { holdProjects } from "../../src/core/storage/project-locks.ts";
import { processSpace } from "../../src/core/storage/temp-files.ts";
import { replaceCall, systemError } from "../fixtures/disk.ts";
import { ended, lockFile, lockPath, locksOf, plantLock, said, startScript } from "../fixtures/locks.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

test("work under one name never overlaps, and its result or error is passed on", async (t) => {
  const root = temporaryFolder(t);
  let inside = 0;
  const work = async (value: number) => {
    inside++;
    assert.equal(inside, 1);
    await new Promise(setImmediate);
    inside--;
    if (value === 3) throw new Error("three");
    return value;
  };
  const all = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((value) => withLock(root, "p", () => work(value))),
  );
  assert.deepEqual(
    all.map((one) => (one.status === "fulfilled" ? one.value : (one.reason as Error).message)),
    [1, 2, "three", 4, 5],
  );
  assert.deepEqual(locksOf(root), []);
  assert.equal(readFileSync(join(root, ".vibe-mcp", ".gitignore"), "utf8"), "*\n");
});

test("calls of one process take turns for a project, also after one that fails, and leave nothing behind", async (t) => {
  const locks = { root: temporaryFolder(t), ends: new Map<string, Promise<void>>() };
  const order: number[] = [];
  const work = async (projects: string[], at: number) => {
    await using held = await holdProjects(locks, projects);
    held.lockOf(`${projects[0]}/tasks/001-a.md`).check();
    order.push(at);
    await new Promise(setImmediate);
    order.push(at);
  };
  await Promise.all([work(["p"], 1), work(["q", "P"], 2), ...[3, 4, 5, 6].map((at) => work(["p"], at))]);
  assert.deepEqual(order, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  assert.equal(locks.ends.size, 0);
  locks.root = join(locks.root, "file");
  writeFileSync(locks.root, "");
  await Promise.all([1, 2].map((at) => assert.rejects(work(["p"], at))));
  assert.equal(locks.ends.size, 0);
});

test("a lock names its holder, which keeps it young", async (t) => {
  const root = temporaryFolder(t);
  t.mock.timers.enable({ apis: ["setInterval"] });
  await withLock(root, "p", async (lock) => {
    const file = lockFile(root);
    const owner = { host: hostname(), ...processSpace(), pid: process.pid };
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), owner);
    utimesSync(file, 1, 1);
    t.mock.timers.tick(3000);
    assert.ok(Date.now() - statSync(file).mtimeMs < 60_000);
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), owner);
    lock.check();
  });
  assert.deepEqual(locksOf(root), []);
});

test("names that some disks cannot tell apart share a lock, others do not wait", async (t) => {
  const root = temporaryFolder(t);
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  let same: Promise<void> | undefined;
  await withLock(root, "Caf\u00e9", async () => {
    same = withLock(root, "cafe\u0301", note("same"));
    for (let round = 0; round < 5; round++) await withLock(root, "other", note("other"));
    order.push("first");
  });
  await same;
  assert.deepEqual(order, [...Array.from({ length: 5 }, () => "other"), "first", "same"]);
});

test("counting in one file from four processes loses nothing", async (t) => {
  const root = temporaryFolder(t);
  const counter = join(root, "counter");
  writeFileSync(counter, "0");
  const script = `for (let i = 0; i < 25; i++) await withLock(root, "p", async () => {
    const n = Number(fs.readFileSync(root + "/counter", "utf8"));
    await new Promise(setImmediate);
    fs.writeFileSync(root + "/counter", String(n + 1));
  });`;
  await Promise.all([1, 2, 3, 4].map(() => ended(startScript(t, root, script))));
  assert.equal(readFileSync(counter, "utf8"), "100");
});

test("the lock of a killed process is taken over at once", async (t) => {
  const root = temporaryFolder(t);
  const hold = `await withLock(root, "p", () => new Promise(() => { console.log("held"); setInterval(() => {}, 1e6); }));`;
  const child = startScript(t, root, hold);
  await said(child);
  const file = lockFile(root);
  child.kill("SIGKILL");
  await ended(child);
  assert.ok(existsSync(file));
  const answers = await Promise.all([1, 2, 3].map((n) => withLock(root, "p", async () => n)));
  assert.deepEqual(answers, [1, 2, 3]);
});

const LONG_AGO = 1_000_000;
const YEAR_2100 = 4_102_444_800;

test("a process is known to have ended by its number on the same machine and in the same namespace", () => {
  const own = { host: hostname(), ...processSpace() };
  const { pid } = spawnSync(process.execPath, ["--version"]);
  assert.equal(hasEnded({ ...own, pid }), true);
  for (const other of [{ pid: process.pid }, { pid, host: "elsewhere" }, { pid, namespace: "pid:[1]" }])
    assert.equal(hasEnded({ ...own, ...other }), false, JSON.stringify(other));
  assert.equal(hasEnded({ host: own.host, pid }), false);
  assert.equal(hasEnded(undefined), false);
  for (const [owner, isGone] of [
    [{ ...own, pid }, true],
    [{ ...own, pid: process.pid }, false],
  ] as const)
    assert.equal(
      isAbandoned({ name: "x", written: 0, owner }, 0),
      isGone,
      "a young lock is as good as its process",
    );
});

test("a lock of another machine, without an owner or in an unknown form is respected until it is old, or dated far ahead", async (t) => {
  const root = temporaryFolder(t);
  const owners = [
    { host: `not-${hostname()}`, pid: 1 },
    { host: hostname(), pid: process.pid },
    { host: hostname(), ...processSpace(), pid: process.pid },
    '{"host": "tor',
    "[]",
    "",
  ];
  for (const owner of owners) {
    for (const when of [LONG_AGO, YEAR_2100]) {
      utimesSync(plantLock(root, owner), when, when);
      assert.equal(await withLock(root, "p", async () => "taken over"), "taken over");
      assert.deepEqual(locksOf(root), []);
    }
  }
  // An earlier version made a file.
  writeFileSync(lockPath(root), JSON.stringify({ host: hostname(), pid: 1, token: "x" }));
  utimesSync(lockPath(root), LONG_AGO, LONG_AGO);
  assert.equal(await withLock(root, "p", async () => "taken over"), "taken over");
  assert.deepEqual(locksOf(root), []);
});

test("a process that lost its lock fails before it writes, and does not touch the next holder's lock", async (t) => {
  const root = temporaryFolder(t);
  let theirs = "";
  await withLock(root, "p", async (lock) => {
    lock.check();
    utimesSync(lockFile(root), LONG_AGO, LONG_AGO);
    await withLock(root, "p", async (other) => {
      theirs = lockFile(root);
      assert.throws(() => lock.check(), { code: "CONFLICT", message: /repeat the change/ });
      other.check();
    });
    theirs = plantLock(root, { host: "elsewhere", pid: 1 });
    assert.throws(() => lock.check(), { code: "CONFLICT" });
  });
  assert.ok(existsSync(theirs));
});

test("finished work stays done even if its lock cannot be removed", async (t) => {
  const root = temporaryFolder(t);
  let refusals = 2;
  replaceCall(t, "unlinkSync", (real) => (...args) => {
    if (String(args[0]).includes(".lock/") && refusals-- > 0) throw systemError("EBUSY");
    return real(...args);
  });
  assert.equal(await withLock(root, "p", async () => "done"), "done");
  assert.deepEqual(locksOf(root), []);
  refusals = Number.POSITIVE_INFINITY;
  assert.equal(await withLock(root, "p", async () => "done"), "done");
  assert.equal(locksOf(root).length, 1);
});

for (const code of ["EPERM", "EEXIST"]) {
  test(`on a disk that cannot rename over an empty folder (${code}), one process at a time has the lock`, async (t) => {
    const root = temporaryFolder(t);
    replaceCall(t, "renameSync", (real) => (...args) => {
      if (String(args[1]).endsWith(".lock") && existsSync(String(args[1]))) throw systemError(code);
      return real(...args);
    });
    let inside = 0;
    const work = async () => {
      assert.equal(++inside, 1);
      await new Promise(setImmediate);
      inside--;
    };
    await Promise.all([1, 2, 3].map(() => withLock(root, "p", work)));
    plantLock(root, "");
    utimesSync(lockFile(root), LONG_AGO, LONG_AGO);
    await withLock(root, "p", work);
    assert.deepEqual(locksOf(root), []);
  });
}

test("a rename that a network disk did but did not confirm takes the lock", async (t) => {
  const root = temporaryFolder(t);
  replaceCall(t, "renameSync", (real) => (...args) => {
    real(...args);
    if (String(args[1]).endsWith(".lock")) throw systemError("ENOENT");
  });
  assert.equal(await withLock(root, "p", async (lock) => lock.check() ?? "held"), "held");
});

test("a process stopped after its last check renames nothing once its lock was broken", async (t) => {
  const root = temporaryFolder(t);
  const file = join(root, "a.md");
  writeFileSync(file, "old");
  let broken = 0;
  for (const name of ["renameSync", "linkSync"] as const) {
    replaceCall(t, name, (real) => (...args) => {
      if (String(args[1]).endsWith(".md")) {
        for (const lock of listLocks(root, Date.now())) lock.remove();
        broken++;
      }
      return real(...args);
    });
  }
  const write = (work: (lock: Lock) => Promise<unknown>) => withLock(root, "p", work);
  const lost = { code: "CONFLICT" };
  await assert.rejects(
    write((lock) => replaceFile(file, [Buffer.from("new")], undefined, { lock })),
    lost,
  );
  await assert.rejects(
    write((lock) => createFile(join(root, "b.md"), Buffer.from("new"), { lock })),
    lost,
  );
  assert.equal(broken, 2);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.deepEqual(readdirSync(root), [".vibe-mcp", "a.md"]);
  assert.deepEqual(locksOf(root), []);
});

test("a file on another disk than the locks is written too, while the lock is held", async (t) => {
  const root = temporaryFolder(t);
  const file = join(root, "a.md");
  replaceCall(t, "renameSync", (real) => (...args) => {
    if (String(args[0]).endsWith(".tmp") && String(args[1]).endsWith(".tmp")) throw systemError("EXDEV");
    return real(...args);
  });
  await withLock(root, "p", async (lock) => {
    await replaceFile(file, [Buffer.from("new")], undefined, { lock });
    for (const held of listLocks(root, Date.now())) held.remove();
    await assert.rejects(replaceFile(file, [Buffer.from("newer")], undefined, { lock }), {
      code: "CONFLICT",
    });
  });
  assert.equal(readFileSync(file, "utf8"), "new");
  assert.deepEqual(readdirSync(root), [".vibe-mcp", "a.md"]);
});
