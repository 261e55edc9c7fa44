import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("assign, priority and due set a field of a task; a hyphen removes it", (t) => {
  const { root, inPipe } = person(t);
  const text = "# Task: A\r\n\r\nStatus: pending\r\n";
  writeFiles(root, { "p/tasks/001-a.md": text });
  const type = (...words: string[]) => inPipe([...words, "--project", "p"]);
  assert.equal(type("assign", "1", "ana").stdout, "p/tasks/001-a.md: owner ana\n");
  assert.equal(type("priority", "1", "high").stdout, "p/tasks/001-a.md: priority high\n");
  assert.equal(type("due", "1", "+30d").stdout, "p/tasks/001-a.md: due 2025-03-12\n");
  assert.equal(type("due", "1", "Tomorrow").stdout, "p/tasks/001-a.md: due 2025-02-11\n");
  assert.match(type("due", "1", "constructor").stderr, /'constructor' .*day.*YYYY-MM-DD/);
  const written = readFileSync(join(root, "p/tasks/001-a.md"), "utf8");
  assert.match(written, /^---\r\nowner: ana\r\npriority: high\r\ndue: 2025-02-11\r\n---\r\n/);
  assert.ok(written.endsWith(text));
  assert.match(type("priority", "1", "high").stderr, /like that already: nothing was changed/);
  for (const field of ["assign", "priority", "due"]) assert.equal(type(field, "1", "-").status, 0);
  assert.doesNotMatch(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), /ana|high|2025/);
  assert.equal(type("priority", "1", "soonish").status, 2);
  const wrong = type("due", "1", "2025-02-30");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /day.*YYYY-MM-DD, today, tomorrow, \+3d, .*-/);
});

test("assign says which task it makes ready", (t) => {
  const someone = person(t);
  const claimed = "---\nowner: ana\nclaimed_until: 2999-01-01\n---\n# A\n\nStatus: pending\n";
  writeFiles(someone.root, { "p/tasks/001-a.md": claimed });
  const { stdout } = someone.inPipe(["assign", "1", "-", "--project", "p"]);
  assert.equal(stdout, "p/tasks/001-a.md: owner removed\nReady now: 001 A\n");
});

test("people are told nothing about claims, and decide who owns a task", (t) => {
  const { root, inPipe } = person(t);
  const claimed =
    "---\nowner: codex\nclaimed_until: 2999-01-01\n---\n# A\n\nStatus: in-progress\n\n## Steps\n- [ ] a\n- [ ] b\n";
  writeFiles(root, {
    "p/tasks/001-a.md": claimed,
    "p/tasks/002-b.md": "---\nowner: ana\n---\n# B\n\nStatus: in-progress\n",
  });
  const typed = [
    ["tick", "1", "1"],
    ["due", "1", "+3d"],
    ["due", "2", "+3d"],
    ["status", "2", "blocked"],
    ["assign", "1", "bo"],
  ];
  for (const words of typed) assert.equal(inPipe([...words, "--project", "p"]).stderr, "", words.join(" "));
  assert.match(
    readFileSync(join(root, "p/tasks/001-a.md"), "utf8"),
    /^---\nowner: bo\ndue: 2025-02-13\n---\n/,
  );
  writeFiles(root, { "p/tasks/001-a.md": claimed });
  const agent = inPipe(["tick", "1", "1", "--agent", "bo", "--project", "p"]);
  assert.match(agent.stderr, /held by 'codex' until \d{4}-/);
});
