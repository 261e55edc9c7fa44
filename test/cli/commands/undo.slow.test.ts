import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const TASK = "# T\r\n\r\nStatus: pending\r\n";

function writer(t: TestContext) {
  const someone = person(t);
  const file = join(someone.root, "p/tasks/001-t.md");
  writeFiles(someone.root, { "p/tasks/001-t.md": TASK, "q/a.md": "x" });
  const run = (...args: string[]) => someone.inPipe(args);
  return { ...someone, run, file, text: () => readFileSync(file, "utf8") };
}

test("undo shows a diff, and writes only when told to", (t) => {
  const { run, text } = writer(t);
  run("status", "1", "done", "--project", "p");
  const shown = run("undo");
  assert.equal(shown.status, 1);
  assert.match(
    shown.stdout,
    /vibe-mcp status {2}[0-9a-f]{12}\np\/tasks\/001-t\.md\n@@ line 1 @@\n # T\n \n-Status: done\n\+Status: pending\n/,
  );
  assert.match(shown.stdout, /Nothing undone\. To undo it: .* undo [0-9a-f]{12} --root \S+ --yes\n$/);
  assert.match(text(), /done/);
  assert.match(run("undo", "--yes").stdout, /Undid 1 change\. .*: .* undo [0-9a-f]{12} --root \S+\n$/);
  assert.equal(text(), TASK);
  assert.match(run("undo", "--yes").stdout, /nothing to undo/);
});

test("each undo goes one change further back", (t) => {
  const { run, text, root } = writer(t);
  run("status", "1", "done", "--project", "p");
  run("status", "1", "blocked", "--project", "p");
  run("new", "Next", "--project", "p");
  run("undo", "--yes");
  assert.equal(existsSync(join(root, "p/tasks/002-next.md")), false);
  run("undo", "--yes");
  assert.match(text(), /done/);
  run("undo", "--yes");
  assert.equal(text(), TASK);
});

test("undo asks on a terminal", (t) => {
  const { run, text, onScreen } = writer(t);
  run("status", "1", "done", "--project", "p");
  onScreen(["undo"], { answer: ["Undo 1 change? [y/N]", "n\n"] });
  assert.match(text(), /done/);
  onScreen(["undo"], { answer: ["Undo 1 change? [y/N]", "y\n"] });
  assert.equal(text(), TASK);
});

test("undo can take one project, and several changes", (t) => {
  const { run, text, root } = writer(t);
  run("status", "1", "done", "--project", "p");
  run("log", "hello", "--project", "q");
  const answer = JSON.parse(run("undo", "5", "--project", "p", "--yes", "--json").stdout);
  assert.deepEqual(
    [answer.undone, answer.changes.length, answer.changes[0].paths],
    [true, 1, ["p/tasks/001-t.md"]],
  );
  assert.equal(text(), TASK);
  assert.equal(existsSync(join(root, "q/sessions/2025-02-10.md")), true);
});

test("a change whose lines changed outside is not undone", (t) => {
  const { run, file, text } = writer(t);
  run("status", "1", "done", "--project", "p");
  writeFileSync(file, text().replace("done", "blocked"));
  const before = text();
  const { status, stdout, stderr } = run("undo", "--yes");
  assert.equal(status, 1);
  assert.match(stderr, /'p\/tasks\/001-t\.md' was changed since\. That change stays\./);
  assert.match(stdout, /-Status: blocked/);
  assert.equal(text(), before);
});

test("undo refuses a wrong number, and a read-only workspace", (t) => {
  const { run } = writer(t);
  for (const word of ["0", "all", "1.5", "-1"]) assert.equal(run("undo", "--", word).status, 2, word);
  const { status, stderr } = run("undo", "--read-only");
  assert.equal(status, 1);
  assert.match(stderr, /read-only/);
});
