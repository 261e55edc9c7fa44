import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noTerminal, person } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const skip = noTerminal();
const TASK = "# Task: A\n\nStatus: pending\n\n## Steps\n1. [x] one\n2. [ ] two\n3. [ ] three\n";

function worker(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-a.md": TASK, "p/notes.md": "n", "q/a.md": "x" });
  return { ...someone, text: () => readFileSync(join(someone.root, "p/tasks/001-a.md"), "utf8") };
}

test("on a terminal a command without words asks for each of them", { skip }, (t) => {
  const { onTerminal, text } = worker(t);
  const asks = (command: string, ...answers: string[]) => {
    const { status, stdout } = onTerminal([command, "--project", "p"], {
      answer: ["Task: ", "\r", ...answers],
    });
    assert.equal(status, 0, stdout);
  };
  asks("tick", "Steps: ", "three\r");
  assert.match(text(), /1\. \[x\] one\n2\. \[ \] two\n3\. \[x\] three\n/);
  asks("status", "Status: ", "block\r");
  assert.match(text(), /Status: blocked/);
  asks("priority", "Priority: ", "low\r");
  assert.match(text(), /^priority: low$/m);
  asks("assign", "A name, or - for nobody: ", "ana\n");
  assert.match(text(), /^owner: ana$/m);
  const { status } = onTerminal(["due", "--project", "p"], { answer: ["Task: ", "\r", "none: ", "\n"] });
  assert.equal(status, 1);
  assert.doesNotMatch(text(), /^due/m);
});

test("on a terminal in no project's folder a command about a task asks for the project", { skip }, (t) => {
  const { onTerminal, text } = worker(t);
  const { stdout } = onTerminal(["status", "1", "done"], { answer: ["Project: ", "p\r"] });
  assert.match(stdout, /p\/tasks\/001-a\.md: pending → done\r\nIt is done with 2 open steps \(2, 3\)\./);
  assert.match(text(), /Status: done/);
  assert.match(onTerminal(["claim"], { answer: ["Project: ", "p\r"] }).stdout, /All tasks are done/);
  assert.match(onTerminal(["show"], { answer: ["Project: ", "q\r", "Document: ", "\r"] }).stdout, /x\r\n$/);
  const cancelled = onTerminal(["status", "1", "done"], { answer: ["Project: ", "\x1b"] });
  assert.equal(cancelled.status, 1);
  assert.match(cancelled.stdout, /Which project\? .* Projects: p, q\./);
  assert.match(onTerminal(["show", "p/notes"], {}).stdout, /^n\r\n$/);
});

test("without anything to choose from the error stays", { skip }, (t) => {
  const { onTerminal, root } = worker(t);
  const { status, stdout } = onTerminal(["tick", "--project", "q"]);
  assert.equal(status, 2);
  assert.match(stdout, /^vibe-mcp: tick .*task.*:/);
  writeFiles(root, { "q/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  const noSteps = onTerminal(["tick", "--project", "q"], { answer: ["Task: ", "\r"] });
  assert.match(noSteps.stdout, /tick .*numbers of steps.*:/);
});

test("in a pipe, with --json and on a dumb terminal nothing is asked", { skip }, (t) => {
  const { inPipe, onTerminal } = worker(t);
  for (const command of ["show", "tick", "edit", "status"]) {
    const piped = inPipe([command]);
    assert.equal(piped.status, 2);
    assert.match(piped.stderr, /^vibe-mcp: \w+ needs a (?:path|task: its number)/);
    const dumb = onTerminal([command], { env: { TERM: "dumb" } });
    assert.deepEqual([dumb.status, dumb.stdout.includes("\x1b")], [2, false]);
  }
  assert.match(onTerminal(["show", "--json"]).stdout, /"INVALID_ARGUMENT"/);
  assert.match(onTerminal(["claim", "--json"]).stdout, /"PROJECT_NOT_FOUND"/);
});
