import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const PLAN = "# Plan\r\n\r\n## Current Status\r\n- Pending: 001\r\n- Done: -\r\n\r\n## Next\r\nend";

test("plan --fix shows a diff, and rewrites the lists only when told to", (t) => {
  const someone = person(t);
  const files = { "p/tasks/001-a.md": "# A\n\nStatus: done\n", "p/plans/execution-plan.md": PLAN };
  writeFiles(someone.root, files);
  const run = (...args: string[]) => someone.inPipe(["plan", "p", ...args]);
  const read = () => readFileSync(join(someone.root, "p/plans/execution-plan.md"), "utf8");
  const shown = run();
  assert.equal(shown.status, 1);
  assert.match(shown.stdout, /0 pending.*1 done\.\n- listed under pending, but done: '?001'?\n/);
  assert.match(someone.inPipe(["doctor"]).stdout, /execution-plan\.md differs .*\n.* plan p --fix/);
  assert.match(
    run("--fix").stdout,
    /-- Pending: 001[\s\S]*\+- Done: 001[\s\S]*Nothing was written\. To write it: .* plan p --fix --yes\n$/,
  );
  assert.equal(read(), PLAN);
  assertTells(run("--fix", "--yes").stdout, ["Corrected", "agrees"]);
  assert.equal(read(), PLAN.replace("Pending: 001", "Pending: -").replace("Done: -", "Done: 001"));
  assert.match(run("--fix").stdout, /agrees/);
  assert.match(someone.inPipe(["undo", "--yes"]).stdout, / {2}vibe-mcp plan {2}/);
  assert.equal(read(), PLAN);
});

test("plan --fix leaves a nested list to the person, and says so", (t) => {
  const someone = person(t);
  const nested = "# Plan\n\n## Current Status\n- pending:\n  - 001\n";
  writeFiles(someone.root, { "p/tasks/001-a.md": "# A\n\nStatus: done\n", "p/plans/next.md": nested });
  const run = () => someone.inPipe(["plan", "p", "--file", "next.md", "--fix", "--yes"]);
  const fixed = run();
  assert.deepEqual([fixed.status, fixed.stdout.match(/Corrected/)?.[0]], [0, "Corrected"]);
  assert.equal(readFileSync(join(someone.root, "p/plans/next.md"), "utf8"), `${nested}- done: 001\n`);
  writeFiles(someone.root, { "p/plans/next.md": nested.replace("pending", "done") });
  const left = run();
  assert.equal(left.status, 1);
  assert.match(
    left.stdout,
    /done, but not listed: '?001'?\nCorrect the rest yourself: .* edit p\/plans\/next\.md\n$/,
  );
  assert.match(someone.inPipe(["plan", "p", "--file", "next.md"]).stdout, /- done, but not listed/);
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
  assert.match(someone.inPipe(["plan", "q"]).stderr, /has no plans yet/);
});
