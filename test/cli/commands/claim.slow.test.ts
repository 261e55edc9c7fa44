import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const FILES = {
  "p/tasks/001-a.md": "# Task: Bake\u001b[2J bread\n\nStatus: pending\n",
  "p/tasks/002-b.md": "# Task: B\n\nStatus: pending\n\n## Context\n- Dependencies: 001\n",
  "p/archive/tasks/005-old.md": "# Task: Old\n\nStatus: done\n",
};

test("claim takes the next ready task, says until when, and what comes next", (t) => {
  const { root, inPipe, normal } = person(t);
  writeFiles(root, FILES);
  const claim = (...words: string[]) => inPipe(["claim", "--project", "p", ...words]);
  const taken = claim("--agent", "ana", "--minutes", "90");
  assert.equal(
    taken.stdout,
    "p/tasks/001-a.md: Bake\\u{1b}[2J bread\nana holds it until 2025-02-10 10:30.\n",
  );
  assert.match(
    normal(taken.stderr),
    /^Read it: .* show 001 --project p\nWhen it is done: .* status 001 done --project p\n$/,
  );
  assert.match(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), /^---\nowner: ana\n/);

  const none = claim("--agent", "bo");
  assert.deepEqual([none.status, none.stdout], [1, ""]);
  const facts = ["001", "'ana' until 2025-02-10T10:30Z", "002 waits", "001"];
  assertTells(none.stderr, ["No task", ...facts]);
  const held = claim("1", "--agent", "bo");
  assert.equal(held.status, 1);
  assert.match(held.stderr, /held by 'ana'.*: `.*vibe-mcp claim --project p`\./);

  assert.match(
    claim("5").stderr,
    /is archived\..* restore it first: `.*vibe-mcp archive --restore 5 --project p`/,
  );

  const done = inPipe(["status", "1", "done", "--project", "p", "--agent", "bo"]);
  assert.match(done.stderr, /held by 'ana'.* agent/);
});

test("claim uses the name of the account; --release gives the task back", (t) => {
  const { root, inPipe } = person(t);
  writeFiles(root, FILES);
  const name = userInfo().username;
  assert.match(inPipe(["claim", "1", "--project", "p"]).stdout, new RegExp(`\n${name} holds it until `));
  const own = inPipe(["status", "1", "blocked", "--project", "p"]);
  assert.equal(own.stderr, "");
  const released = inPipe(["claim", "1", "--project", "p", "--release"]);
  assert.match(released.stdout, /\nNobody holds it; it is blocked\.\n$/);
  assert.equal(released.stderr, "");
  assert.match(inPipe(["claim", "1", "--release", "--project", "p"]).stderr, /^You did not hold/);
  const json = inPipe(["claim", "1", "--project", "p", "--json"]);
  assert.equal(JSON.parse(json.stdout).task.owner, name);
});

test("the name in git comes before that of the account", (t) => {
  const { root, cwd, inPipe } = person(t);
  writeFiles(root, FILES);
  for (const args of [
    ["init", "-q"],
    ["config", "user.name", "Ana Ruiz"],
  ])
    execFileSync("git", args, { cwd });
  assert.match(inPipe(["claim", "1", "--project", "p"], { cwd }).stdout, /\nAna Ruiz holds it until /);
  const other = inPipe(["claim", "2", "--project", "p", "--agent", "bo"], { cwd });
  assert.match(other.stdout, /\nbo holds it until /);
  const mine = inPipe(["tasks", "p", "--owner", "me", "--json"], { cwd }).stdout;
  assert.deepEqual([JSON.parse(mine).total, JSON.parse(mine).tasks[0].owner], [1, "Ana Ruiz"]);
});
