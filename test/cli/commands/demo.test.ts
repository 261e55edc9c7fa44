import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";

test("demo fills the folder it stands in when that is empty", (t) => {
  const someone = person(t);
  const { status, stdout } = someone.inPipe(["demo", "."]);
  assert.equal(status, 0);
  assert.match(stdout, /^Wrote 46 of 46 files to \.:/);
  assert.match(stdout, / --root \. "rate limiting"\n/);
  assert.equal(readdirSync(someone.cwd).length, 3);
});

test("demo --json tells the folder and how much of it was written", (t) => {
  const someone = person(t);
  const answers = [1, 2].map(() => JSON.parse(someone.inPipe(["demo", "d", "--json"]).stdout));
  const folder = answers[0].folder;
  assert.ok(folder.endsWith("/d") || folder.endsWith("\\d"), folder);
  assert.deepEqual(answers, [
    { folder, written: 46, total: 46 },
    { folder, written: 0, total: 46 },
  ]);
});

test("demo says in words what kept it from writing", (t) => {
  const someone = person(t);
  mkdirSync(join(someone.cwd, "d"));
  writeFileSync(join(someone.cwd, "file"), "");
  const { status, stdout, stderr } = someone.inPipe(["demo", "file/demo"]);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^vibe-mcp: Could not write '[\w./-]+': /);
  assert.ok(!stderr.includes(someone.cwd), stderr);
});
