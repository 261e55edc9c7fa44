import assert from "node:assert/strict";
import { test } from "node:test";
import { planDrift } from "../../src/notes/plan-drift.ts";
import { fixPlan } from "../../src/notes/plan-fix.ts";

const TASKS = [
  { filename: "001-a.md", number: "001", status: "done" },
  { filename: "002-b.md", number: "002", status: "pending" },
  { filename: "003-c.md", number: "003", status: "in-progress" },
  { filename: "004-d.md", number: "004", status: "blocked" },
];

const cases: [name: string, plan: string, expected: string][] = [
  [
    "lists",
    "# P\r\n\r\n## Current Status\r\n- Pending: `001-a`, 002 (soon), polish\r\n- **In progress:** -\r\n- Done: 9\r\n- Blocked: 004-d\r\nend",
    "# P\r\n\r\n## Current Status\r\n- Pending: 002 (soon), polish\r\n- **In progress:** 003\r\n- Done: 1\r\n- Blocked: 004-d\r\nend",
  ],
  ["counts", "## Current Status\nPending: 3\nDone:0 tasks\n", "## Current Status\nPending: 1\nDone: 1\n"],
  [
    "a missing line",
    "## Current Status\n* pending: 002, 003\n* in-progress:\n* done: 001",
    "## Current Status\n* pending: 002\n* in-progress: 003\n* done: 001\n* blocked: 004",
  ],
  [
    "a list that is right, with remarks",
    "## Current Status\npending: 002 (soon)\nin-progress: 003\ndone: 001\nblocked: 004 ; 012\n",
    "## Current Status\npending: 002 (soon)\nin-progress: 003\ndone: 001\nblocked: 004\n",
  ],
  [
    "remarks and names with commas, which move with their task",
    "## Current Status\npending: 001 (see a, b), [[002-b|B, c]], 004（甲、乙）\nin-progress: [C, d](003-c.md)\ndone: -\nblocked: none\n",
    "## Current Status\npending: [[002-b|B, c]]\nin-progress: [C, d](003-c.md)\ndone: 001 (see a, b)\nblocked: 004（甲、乙）\n",
  ],
  [
    "numbers with the words of the title",
    "## Current Status\npending: 001 Set up — soon, 002 Build\nin-progress: 003\nblocked: 004\n",
    "## Current Status\npending: 002 Build\nin-progress: 003\nblocked: 004\ndone: 001 Set up — soon\n",
  ],
  [
    "a missing line below a nested list",
    "## Current Status\n- pending: 002\n- in-progress: 003\n- done: 001\n  - more\n\ntext\n",
    "## Current Status\n- pending: 002\n- in-progress: 003\n- done: 001\n  - more\n- blocked: 004\n\ntext\n",
  ],
  ["no status", "# P\n\nPending: 1\n", "# P\n\nPending: 1\n"],
];

for (const [name, plan, expected] of cases) {
  test(`the status of a plan follows the tasks: ${name}`, () => {
    const fixed = fixPlan(plan, 0, TASKS);
    assert.equal(fixed, expected);
    assert.equal(fixPlan(fixed, 0, TASKS), fixed);
    assert.deepEqual(planDrift(fixed, 0, TASKS), []);
  });
}

test("a list of one task whose number looks like a count has its name", () => {
  const tasks = [{ filename: "100-late.md", number: "100", status: "done" }];
  const fixed = fixPlan("## Current Status\n- pending: 100-late\n- done: -\n", 0, tasks);
  assert.equal(fixed, "## Current Status\n- pending: -\n- done: 100-late\n");
  const added = fixPlan("## Current Status\n- pending: -\n- done: 7-x\n", 0, tasks);
  assert.equal(added, "## Current Status\n- pending: -\n- done: 100-late\n");
  assert.deepEqual(planDrift(added, 0, tasks), []);
});

test("a list nested under an empty label stays", () => {
  const plan = "## Current Status\n- done:\n  - 001-a\n- pending: 002\n- in-progress: 003\n- blocked: 004\n";
  assert.equal(fixPlan(plan, 0, TASKS), plan);
});
