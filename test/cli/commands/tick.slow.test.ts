import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("tick sets and removes the ticks of steps, and says when all are done", (t) => {
  const { root, inPipe } = person(t);
  const text = "# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] one\n2. [ ] two\n3. [ ] three\n";
  writeFiles(root, { "p/tasks/001-a.md": text });
  const tick = (...words: string[]) => inPipe(["tick", "1", ...words, "--project", "p"]);
  const first = tick("1", "3");
  assert.deepEqual(
    [first.stdout, first.stderr],
    ["p/tasks/001-a.md: 2/3\n  1. [x] one\n  3. [x] three\n", ""],
  );
  const byPath = (path: string) => inPipe(["tick", path, "1", "2", "3", "--project", "p"]).stderr;
  assert.match(byPath("tasks/001-a.md"), / status tasks\/001-a\.md done --project p\n$/);
  tick("2", "--open");
  const last = tick("2,1");
  assert.equal(last.stdout, "p/tasks/001-a.md: 3/3\n  2. [x] two\n");
  assert.match(last.stderr, /^All steps .*: vibe-mcp status 1 done --project p\n$/);
  assert.match(
    tick("1", "2", "3", "--open").stdout,
    /^p\/tasks\/001-a\.md: 0\/3\n(?: {2}\d\. \[ \] \w+\n){3}$/,
  );
  assert.equal(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), text);
  assert.match(tick("4").stderr, /no step 4\. The task has 3: 1\. \[ \] 'one/);
  assert.deepEqual([tick("0").status, tick("one").status], [2, 2]);
});

test("tick sets and removes the ticks of acceptance criteria", (t) => {
  const { root, inPipe } = person(t);
  const text =
    "# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] one\n\n## Acceptance Criteria\n- [ ] it works\n- [ ] fast\n";
  writeFiles(root, { "p/tasks/001-a.md": text });
  const tick = (...words: string[]) => inPipe(["tick", "1", ...words, "--criteria", "--project", "p"]);
  const read = () => readFileSync(join(root, "p/tasks/001-a.md"), "utf8");
  assert.equal(tick("1,2").stdout, "p/tasks/001-a.md: criteria 1, 2 done\n  - [x] it works\n  - [x] fast\n");
  assert.equal(read(), text.replace("[ ] it", "[x] it").replace("[ ] fast", "[x] fast"));
  assert.equal(tick("2", "--open").stdout, "p/tasks/001-a.md: criteria 2 open\n  - [ ] fast\n");
  assert.equal(read(), text.replace("[ ] it", "[x] it"));
  assert.match(tick("3").stderr, /no criterion 3\. The task has 2: 1\. \[x\] 'it works/);
});
