import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { isTemporary, sweepTemporary, temporaryFor } from "../../src/core/storage/temp-files.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const UNSHARE = ["--pid", "--fork", "--mount-proc"];
const noNamespaces =
  spawnSync("unshare", [...UNSHARE, "true"]).status !== 0 && "needs the right to make PID namespaces";
const NOW = Date.parse("2025-03-01T12:00:00Z");
const DAY = 24 * 60 * 60 * 1000;

interface Litter {
  /** Process number in the name. */
  pid?: number;
  foreign?: boolean;
  /** Milliseconds. */
  age?: number;
}

/** A temporary file left by another process or another machine. */
function leave(t: TestContext, { pid = process.pid, foreign = false, age = 0 }: Litter): string {
  const own = temporaryFor(join(temporaryFolder(t), "a.md"));
  const name = basename(own).replace(`-${process.pid}-`, `-${pid}-`);
  const file = join(dirname(own), foreign ? name.replace(/-[0-9a-f]{8}-/, "-00000000-") : name);
  writeFileSync(file, "half");
  utimesSync(file, new Date(NOW - age), new Date(NOW - age));
  return file;
}

function deadProcess(): number {
  const { pid, status } = spawnSync(process.execPath, ["--version"]);
  assert.equal(status, 0);
  return pid;
}

/** Sweeps one file; returns what `sweepTemporary` returned and whether the file is still there. */
function sweep(file: string): { swept: boolean; exists: boolean } {
  return { swept: sweepTemporary(file, NOW), exists: existsSync(file) };
}

const REMOVED = { swept: true, exists: false };
const KEPT = { swept: false, exists: true };

test("a temporary file is hidden beside its file, under a unique name", () => {
  const names = Array.from({ length: 100 }, () => temporaryFor(join("folder", "a.md")));
  assert.equal(new Set(names).size, 100);
  for (const name of names) {
    assert.equal(dirname(name), "folder");
    assert.ok(basename(name).startsWith(".") && isTemporary(basename(name)), name);
    assert.ok(basename(name).includes(`-${process.pid}-`));
  }
});

test("the length of a document's name does not lengthen its temporary name", () => {
  const short = basename(temporaryFor("a.md"));
  assert.equal(basename(temporaryFor(`${"x".repeat(255)}.md`)).length, short.length);
});

test("the file of a dead process is removed at once", (t) => {
  assert.deepEqual(sweep(leave(t, { pid: deadProcess() })), REMOVED);
});

test("an impossible process number is taken for dead", (t) => {
  assert.deepEqual(sweep(leave(t, { pid: 999_999_999_999 })), REMOVED);
});

test("the files of this and another living process stay", async (t) => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  t.after(() => child.kill());
  await new Promise((done) => child.once("spawn", done));
  assert.deepEqual(sweep(leave(t, { pid: child.pid ?? 0 })), KEPT);
  assert.deepEqual(sweep(leave(t, {})), KEPT);
});

test("the file of another machine stays for a day, whatever its process number means here", (t) => {
  const pid = deadProcess();
  assert.deepEqual(sweep(leave(t, { pid, foreign: true })), KEPT);
  assert.deepEqual(sweep(leave(t, { pid, foreign: true, age: DAY - 1000 })), KEPT);
  assert.deepEqual(sweep(leave(t, { pid, foreign: true, age: DAY })), REMOVED);
});

test("each PID namespace has its own temporary names: its process numbers mean nothing here", {
  skip: noNamespaces,
}, () => {
  const code = `import { temporaryFor } from ${JSON.stringify(resolve("src/core/storage/temp-files.ts"))}; console.log(temporaryFor("a.md"));`;
  const node = [process.execPath, "--import", "tsx", "--input-type=module", "-e", code];
  const [here, there] = [node, ["unshare", ...UNSHARE, ...node]].map(
    ([command = "", ...args]) => spawnSync(command, args, { encoding: "utf8" }).stdout.split("-")[2],
  );
  assert.equal(here, basename(temporaryFor("a.md")).split("-")[2]);
  assert.match(there ?? "", /^[0-9a-f]{8}$/);
  assert.notEqual(there, here);
});

test("a file from the future stays: its machine's clock is ahead", (t) => {
  assert.deepEqual(sweep(leave(t, { foreign: true, age: -DAY })), KEPT);
});

test("after a day a process number may belong to another process", (t) => {
  assert.deepEqual(sweep(leave(t, { age: DAY - 1000 })), KEPT);
  assert.deepEqual(sweep(leave(t, { age: DAY })), REMOVED);
});

test("other names are never touched, however old", (t) => {
  const folder = temporaryFolder(t);
  const own = basename(temporaryFor("a.md")).replace(`-${process.pid}-`, `-${deadProcess()}-`);
  const names = [
    "a.md",
    ".hidden.tmp",
    ".vibe-mcp.tmp",
    ".vibe-mcp-notes.tmp",
    "index.db",
    own.slice(1),
    `${own}.md`,
    `x${own}`,
    own.toUpperCase(),
    own.replace(".tmp", ".bak"),
    own.replace(/[0-9a-f]{12}\.tmp$/, "xyz.tmp"),
  ];
  for (const name of names) {
    const file = join(folder, name);
    writeFileSync(file, "mine");
    utimesSync(file, new Date(0), new Date(0));
    assert.equal(isTemporary(name), false, name);
    assert.deepEqual(sweep(file), KEPT, name);
  }
});

test("a file that is gone or cannot be removed is skipped", (t) => {
  const file = leave(t, { foreign: true, age: 2 * DAY });
  assert.deepEqual([sweepTemporary(file, NOW), sweepTemporary(file, NOW)], [true, false]);
  mkdirSync(file);
  writeFileSync(join(file, "a.md"), "mine");
  assert.equal(sweepTemporary(file, Date.now() + 2 * DAY), false);
  assert.deepEqual(readdirSync(file), ["a.md"]);
});
