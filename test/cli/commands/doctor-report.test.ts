import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { SCHEMA_VERSION } from "../../../src/index/schema.ts";
import { builtFile } from "../../fixtures/built.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { noTerminal, person } from "../../fixtures/terminal.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

/** Runs the program with the real clock, over a workspace that has an index. */
function indexed(t: TestContext) {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const [file, cwd, home] = [builtFile(t), temporaryFolder(t), temporaryFolder(t)];
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [file, ...args], {
      ...{ cwd, encoding: "utf8" },
      env: { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, VIBE_ROOT: root, ...env },
    });
  assert.equal(run(["reindex"]).status, 0);
  const doctor = (...words: string[]) => run(["doctor", ...words]);
  const row = (check: string) =>
    doctor()
      .stdout.split("\n")
      .find((line) => line.slice(9).startsWith(check)) ?? "";
  return { root, run, db: join(root, "index.db"), doctor, row };
}

test("doctor ends with the number of problems, and with the command that fixes them", (t) => {
  const { doctor, db } = indexed(t);
  assert.match(doctor().stdout, /\n\nNothing is wrong\.\n$/);
  writeFileSync(db, "torn");
  const broken = doctor();
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /\n\n1 problem\. Fix what is safe to fix: node \S+ doctor --fix\n$/);
  const repaired = doctor("--fix");
  assert.equal(repaired.status, 0, repaired.stderr);
  assert.match(repaired.stdout, /^fixed +index .* is damaged, or not an index of vibe-mcp\.\n(?! {22})/m);
  assert.match(repaired.stdout, /\n\nNothing is wrong\.\n$/);
});

test("what must not write is told that --fix does, and changes nothing", (t) => {
  const { run, db } = indexed(t);
  writeFileSync(db, "torn");
  const { status, stderr } = run(["doctor", "--fix"], { VIBE_READ_ONLY: "1" });
  assert.equal(status, 1);
  assert.match(stderr, /read-only here: leave out --read-only/);
  assert.equal(readFileSync(db, "utf8"), "torn");
});

test("an index of another version is told apart from a damaged one", (t) => {
  const { row, db, doctor } = indexed(t);
  const bytes = readFileSync(db);
  const version = (number: number) => {
    bytes.writeUInt32BE(number, 60);
    writeFileSync(db, bytes);
  };
  version(SCHEMA_VERSION + 1);
  assert.match(row("index"), /^note .* belongs to a newer version: this one indexes in memory\.$/);
  assert.equal(doctor("--fix").status, 0);
  assert.deepEqual(readFileSync(db), bytes);
  version(SCHEMA_VERSION - 1);
  assert.match(row("index"), /^problem .* is of an older version\.$/);
});

test("what changed since is counted, and a place that is no file is named", (t) => {
  const { row, root, doctor } = indexed(t);
  assert.match(row("index"), /^ok .*: 1 document, [\d.]+ MB, in step with the files\.$/);
  writeFiles(root, { "p/b.md": "x", "p/c.md": "x" });
  assert.match(row("index"), /1 document, .*, 2 files changed since: the next call reads them\.$/);
  mkdirSync(join(root, "folder"));
  const { stdout } = doctor("--db", join(root, "folder"));
  assert.match(
    stdout,
    /^problem +index .*folder is not a regular file\. Move it away, or choose another with --db\.$/m,
  );
});

test("of many files the first three are named", (t) => {
  const { row, root } = indexed(t);
  writeFiles(root, { "1.md": "", "2.md": "", "3.md": "", "4.md": "", "5.md": "" });
  assert.match(row("left-out"), / 1\.md, 2\.md, 3\.md and 2 more in the root itself: belongs to no project/);
});

test("how changes are noticed is told, also where watching is switched off", (t) => {
  const { run } = indexed(t);
  const { stdout } = run(["doctor"], { VIBE_WATCH: "off" });
  assert.match(stdout, /^ok +freshness +No watching \(it is switched off\): every call scans all 1 files/m);
});

test("a lock without a readable owner is held by an unknown process", (t) => {
  const { row, root } = indexed(t);
  assert.match(row("locks"), /^ok .*No lock is held\.$/);
  for (const owner of ["{", '{"pid": 1}', '{"host": 1, "pid": 1, "token": "x"}']) {
    writeFiles(root, { ".vibe-mcp/locks/p.lock": owner });
    assert.match(row("locks"), /an unknown process/, owner);
  }
});

test("a read-only person is not told of a disk that cannot be written, nor of notes without a number", (t) => {
  const { run, root } = indexed(t);
  writeFiles(root, { "p/tasks/a.md": "Status: done\n", "p/tasks/b.md": "Status: done\n" });
  const { status, stdout } = run(["doctor"], { VIBE_READ_ONLY: "1" });
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /^\w+ +clock|have the same number/m);
});

test("a root that cannot be reached is a problem, and stays as it is", { skip: ON_WINDOWS }, (t) => {
  const { run, root } = indexed(t);
  const far = join(root, "x".repeat(300));
  const { status, stdout } = run(["doctor"], { VIBE_ROOT: far });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^problem +root .*x cannot be reached: .*\.\n +Name a folder with --root or VIBE_ROOT\.$/m,
  );
  assert.ok(!existsSync(far));
});

test("a disk whose clock is far from this machine's is a problem, in colours", {
  skip: noTerminal(),
}, (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "# A\n" });
  const { status, stdout } = someone.onTerminal(["doctor"]);
  assert.equal(status, 1);
  assert.ok(stdout.includes("\u001b[31mproblem "), stdout);
  assert.match(
    someone.inPipe(["doctor"]).stdout,
    /^problem +clock +The disk's clock is \d+ s ahead of this/m,
  );
});
