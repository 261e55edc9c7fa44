import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { demoFiles } from "../../../src/cli/commands/demo/files.ts";
import { quoted } from "../../../src/core/lib/shell.ts";
import { person } from "../../fixtures/terminal.ts";

const TOTAL = demoFiles(new Date()).length;

test("demo fills the current folder if it is empty", (t) => {
  const someone = person(t);
  const { status, stdout } = someone.inPipe(["demo", "."]);
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`^Wrote ${TOTAL} of ${TOTAL} files to \\.:`));
  assert.ok(stdout.includes(` --root ${quoted(realpathSync(someone.cwd))} search "rate limiting"\n`), stdout);
  assert.deepEqual(readdirSync(someone.cwd), ["payments-api"]);
});

test("demo --json names the folder and counts the files", (t) => {
  const someone = person(t);
  const answers = [1, 2].map(() => JSON.parse(someone.inPipe(["demo", "d", "--json"]).stdout));
  const folder = answers[0].folder;
  assert.ok(folder.endsWith("/d") || folder.endsWith("\\d"), folder);
  assert.deepEqual(answers, [
    { folder, written: TOTAL, total: TOTAL },
    { folder, written: 0, total: TOTAL },
  ]);
});

test("demo explains why it could not write, without an absolute path", (t) => {
  const someone = person(t);
  mkdirSync(join(someone.cwd, "d"));
  writeFileSync(join(someone.cwd, "file"), "");
  const { status, stdout, stderr } = someone.inPipe(["demo", "file/demo"]);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^vibe-mcp: Could not write '[\w./-]+': /);
  assert.ok(!stderr.includes(someone.cwd), stderr);
});

test("demo writes an example that search answers from, and never overwrites", (t) => {
  const { cwd, inPipe } = person(t);
  const file = join(cwd, "vibe-demo", "payments-api", "status.md");
  const first = inPipe(["demo"]);
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, new RegExp(`Wrote ${TOTAL} of ${TOTAL} files to vibe-demo`));
  writeFileSync(file, "mine");
  assert.match(inPipe(["demo"]).stdout, /already holds the example/);
  assert.equal(readFileSync(file, "utf8"), "mine");
  const { stdout } = inPipe(["search", "--root", "vibe-demo", "politica devoluciones", "--limit", "1"]);
  assert.match(stdout, /^payments-api\/references\/politica-de-devoluciones\.md {2}#+ \S.*\n {2}\S/);
  writeFileSync(join(cwd, "taken.txt"), "x");
  const refused = inPipe(["demo", "."]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /not empty/);
});

test("demo ends with the line that connects an agent to it, and every line has one root", (t) => {
  const { inPipe, cwd } = person(t);
  const end = / --root "\S+ notes" connect claude-code\nOther clients: .* connect --help\n$/;
  for (const args of [
    ["demo", "my notes"],
    ["demo", "--root", "my notes"],
    ["demo", "my notes", "--root", "x"],
  ]) {
    const { stdout } = inPipe(args);
    assert.match(stdout, end);
    assert.doesNotMatch(stdout, /--root.*--root/);
  }
  assert.deepEqual(readdirSync(cwd), ["my notes"]);
});

test("every search that demo suggests finds something", (t) => {
  const { inPipe } = person(t);
  const { stdout } = inPipe(["demo", "my notes"]);
  const suggested = [...stdout.matchAll(/ --root "\S+ notes" search "(.*)"$/gm)].map(
    ([, words = ""]) => words,
  );
  assert.ok(suggested.length >= 5);
  for (const words of suggested)
    assert.equal(inPipe(["search", "--root", "my notes", words]).status, 0, words);
});
