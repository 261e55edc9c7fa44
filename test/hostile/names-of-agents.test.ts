import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../fixtures/tells.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const TASK = "# Task: A\n\nStatus: pending\n";
const ALIKE = "a".repeat(99);

test("names of agents that agree in 99 characters share no claim", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": TASK });
  const { call, fail } = await connect(t, root);
  const args = { project: "p", task: "1" };
  await call("claim_task", { ...args, agent: `${ALIKE}b` });
  assert.equal((await fail("claim_task", { ...args, agent: `${ALIKE}c` })).code, "CONFLICT");
  const tooLong = [
    ["claim_task", { ...args, agent: `${ALIKE}bb` }],
    ["claim_task", { ...args, agent: `${ALIKE}bb`, release: true }],
    ["update_task", { ...args, priority: "high", agent: `${ALIKE}bb` }],
    ["update_task", { ...args, owner: `${ALIKE}bb` }],
    ["update_task_status", { ...args, status: "blocked", agent: `${ALIKE}bb` }],
  ] as const;
  for (const [tool, wrong] of tooLong) {
    const { code, message } = await fail(tool, wrong);
    assert.equal(code, "INVALID_ARGUMENT");
    assert.match(message, /^'(?:agent|owner)' .*101 characters, .*100\b/);
  }
  assert.match(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), new RegExp(`owner: ${ALIKE}b\n`));
});

test("a long owner in a file is no agent's name", async (t) => {
  const owner = `owner: ${ALIKE}${"b".repeat(200)}\nclaimed_until: 2999-01-01`;
  const root = makeWorkspace(t, { "p/tasks/001-a.md": `---\n${owner}\n---\n${TASK}` });
  const { fail } = await connect(t, root);
  const taken = await fail("claim_task", { project: "p", task: "1", agent: `${ALIKE}…` });
  assert.equal(taken.code, "CONFLICT");
});

test("a name with a comma is no second name of one of its parts", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, { "p/tasks/001-a.md": TASK }));
  const { message } = await fail("claim_task", { project: "p", agent: "ana, bo" });
  assertTells(message, ["agent", "ana, bo"]);
  await call("claim_task", { project: "p", agent: "ana,bo" });
  assert.equal((await fail("claim_task", { project: "p", task: "1", agent: "bo" })).code, "CONFLICT");
});
