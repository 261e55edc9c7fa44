import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const PLAN = "# Plan\r\n\r\n## Current Status\r\n- Pending: 001\r\n- Done: -\r\n\r\n## Next\r\nend";

test("plan says what differs, and how to correct it", (t) => {
  const someone = person(t);
  const files = { "p/tasks/001-a.md": "# A\n\nStatus: done\n", "p/plans/execution-plan.md": PLAN };
  writeFiles(someone.root, files);
  const { status, stdout } = someone.inPipe(["plan", "p"]);
  assert.equal(status, 1);
  assert.match(stdout, /0 pending.*1 done\.\n- listed under pending, but done: '?001'?\n/);
  assert.match(stdout, /\nCorrect its lists: .* edit p\/plans\/execution-plan\.md\n$/);
  assert.match(
    someone.inPipe(["doctor"]).stdout,
    /execution-plan\.md differs .*\n.* edit p\/plans\/execution-plan\.md/,
  );
});

test("plan does not call a plan without lists right", (t) => {
  const { root, inPipe } = person(t);
  writeFiles(root, {
    "p/plans/execution-plan.md": "# Plan\n\n## Current Status\n- [x] 001\n",
    "p/tasks/001-a.md": "# A\n\nStatus: pending\n",
  });
  const { status, stdout } = inPipe(["plan", "p"]);
  assert.equal(status, 0);
  assert.match(stdout, /\n.*no line .*'- done: 003, 004' under 'Current Status'/);
  assert.doesNotMatch(stdout, /agrees/);
});

test("a plan that is not there is met with those that are", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/plans/rollout.md": PLAN, "q/": "" });
  const { status, stderr } = someone.inPipe(["plan", "p"]);
  assert.equal(status, 1);
  assertTells(stderr, ["no plan 'execution-plan.md'", "'p'", "rollout.md", "--file"]);
  assert.match(
    someone.inPipe(["plan", "q"]).stderr,
    /has no plans yet\. Write 'q\/plans\/execution-plan\.md', or ask your agent /,
  );
});
