import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { withLock } from "../../src/files/locks.ts";
import { temporaryFolder } from "../support/workspace.ts";
import { replaceAsyncCall, systemError } from "./disk.ts";

/** A process that takes the lock of "p" and, when `hold` is set, never gives it back. */
function holder(t: TestContext, root: string, script: string): ChildProcess {
  const locks = JSON.stringify(resolve("src/files/locks.ts"));
  const code = `import { withLock } from ${locks}; import * as fs from "node:fs"; const root = ${JSON.stringify(root)}; ${script}`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

const said = (child: ChildProcess) => new Promise<void>((done) => child.stdout?.once("data", () => done()));
const ended = (child: ChildProcess) => new Promise<void>((done) => child.once("close", () => done()));

function lockPath(root: string): string {
  const folder = join(root, ".vibe-mcp", "locks");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".lock")) ?? assert.fail("no lock"));
}

test("work under one name never overlaps, and gives back what it answers or throws", async (t) => {
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
  assert.deepEqual(readdirSync(join(root, ".vibe-mcp", "locks")), []);
  assert.equal(readFileSync(join(root, ".vibe-mcp", ".gitignore"), "utf8"), "*\n");
});

test("a lock on long work stays young", async (t) => {
  const root = temporaryFolder(t);
  t.mock.timers.enable({ apis: ["setInterval"] });
  await withLock(
    root,
    "p",
    async () => {
      const file = lockPath(root);
      utimesSync(file, 1, 1);
      t.mock.timers.tick(3000);
      while (statSync(file).mtimeMs === 1000) await new Promise(setImmediate);
    },
    true,
  );
  assert.deepEqual(readdirSync(join(root, ".vibe-mcp", "locks")), []);
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
  await Promise.all([1, 2, 3, 4].map(() => ended(holder(t, root, script))));
  assert.equal(readFileSync(counter, "utf8"), "100");
});

test("the lock of a killed process holds nobody up", async (t) => {
  const root = temporaryFolder(t);
  const hold = `await withLock(root, "p", () => new Promise(() => { console.log("held"); setInterval(() => {}, 1e6); }));`;
  const child = holder(t, root, hold);
  await said(child);
  const file = lockPath(root);
  child.kill("SIGKILL");
  await ended(child);
  assert.ok(existsSync(file));
  const answers = await Promise.all([1, 2, 3].map((n) => withLock(root, "p", async () => n)));
  assert.deepEqual(answers, [1, 2, 3]);
});

test("a lock of another machine, or half written, counts until it is old", async (t) => {
  const root = temporaryFolder(t);
  await withLock(root, "p", async () => {
    const file = lockPath(root);
    for (const content of [
      JSON.stringify({ host: `not-${hostname()}`, pid: 1, token: "x" }),
      '{"host": "tor',
    ]) {
      mkdirSync(join(root, "copies"), { recursive: true });
      writeFileSync(file, content);
      const long = new Date(Date.now() - 60_000);
      utimesSync(file, long, long);
      assert.equal(await withLock(root, "p", async () => "taken over"), "taken over");
    }
  });
});

test("whoever lost its lock does not remove the next owner's", async (t) => {
  const root = temporaryFolder(t);
  const other = JSON.stringify({ host: "elsewhere", pid: 1, token: "theirs" });
  let file = "";
  await withLock(root, "p", async () => {
    file = lockPath(root);
    writeFileSync(file, other);
  });
  assert.equal(readFileSync(file, "utf8"), other);
});

test("work that is done stays done when its lock cannot be removed at once, or at all", async (t) => {
  const root = temporaryFolder(t);
  let refusals = 2;
  replaceAsyncCall(t, "rm", (real) => async (...args) => {
    if (String(args[0]).endsWith(".lock") && refusals-- > 0) throw systemError("EBUSY");
    return real(...args);
  });
  assert.equal(await withLock(root, "p", async () => "done"), "done");
  const locks = () => readdirSync(join(root, ".vibe-mcp", "locks"));
  assert.deepEqual(locks(), []);
  refusals = Number.POSITIVE_INFINITY;
  assert.equal(await withLock(root, "p", async () => "done"), "done");
  assert.equal(locks().length, 1);
});
