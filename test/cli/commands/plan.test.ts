import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
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
  assert.match(
    someone.inPipe(["doctor"]).stdout,
    /execution-plan\.md differs from the tasks: .*\n.* plan p --fix/,
  );
  assert.match(run("--fix").stdout, /-- Pending: 001[\s\S]*\+- Done: 001[\s\S]*Nothing was written\.\n$/);
  assert.equal(read(), PLAN);
  assert.match(run("--fix", "--yes").stdout, /Corrected\.\n$/);
  assert.equal(read(), PLAN.replace("Pending: 001", "Pending: -").replace("Done: -", "Done: 001"));
  assert.match(run("--fix").stdout, /agrees with the tasks/);
  assert.match(someone.inPipe(["undo", "--yes"]).stdout, /plan \(vibe-mcp plan\)/);
  assert.equal(read(), PLAN);
});
