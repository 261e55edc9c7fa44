import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { assertTells } from "../fixtures/tells.ts";
import { callers, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

interface Claim {
  task: { number: string; filename: string; owner: string } | null;
  reason?: string;
}

/** An agent with a server of its own. */
async function agent(t: TestContext, root: string, name: string) {
  const client = new Client({ name, version: "1" });
  const env = { HOME: temporaryFolder(t), TZ: "UTC" };
  const args = [builtFile(t), "--root", root];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  t.after(() => client.close());
  const { call, fail } = callers(client);
  const of = (args: object) => ({ project: "p", agent: name, ...args });
  return {
    claim: (args: object = {}) => call<Claim>("claim_task", of(args)),
    update: (args: object) => call<{ hint?: string }>("update_task", of(args)),
    finish: (task: string) =>
      call<{ unblocked: { number: string }[] }>("update_task_status", of({ task, status: "done" })),
    fail,
  };
}

test("two agents and a person share a project: nothing is done twice, and all changes survive", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const person = (...args: string[]) => {
    const options = { cwd: root, env: { HOME: temporaryFolder(t), TZ: "UTC" } };
    const run = runCommand(builtFile(t), [...args, "--root", root, "--project", "p"], options);
    assert.equal(run.status, 0, run.stderr);
    return run.stdout;
  };
  person("new", "Draw the schema", "--step", "Tables", "--step", "Keys");
  person("new", "Write the docs");
  person("new", "Build the API", "--after", "001");
  const [ana, ben] = await Promise.all([agent(t, root, "ana"), agent(t, root, "ben")]);
  const claims = await Promise.all([ana.claim(), ben.claim()]);
  assert.deepEqual(claims.map(({ task }) => task?.number).sort(), ["001", "002"]);
  const [first, second] = claims[0]?.task?.number === "001" ? [ana, ben] : [ben, ana];
  const owner = first === ana ? "ana" : "ben";
  await first.update({ task: "1", done_steps: [1, 2] });
  const taken = await second.fail("claim_task", { project: "p", agent: "else", task: "1" });
  assert.equal(taken.code, "CONFLICT");
  const twin = await agent(t, root, owner);
  assertTells((await twin.fail("claim_task", { project: "p", agent: owner, task: "1" })).message, [
    `another session of the name '${owner}'`,
  ]);
  person("log", "Watching.");
  const note = await second.update({ task: "1", priority: "high" });
  assert.match(note.hint ?? "", new RegExp(`held by '${owner}' until`));
  assert.deepEqual((await second.finish("2")).unblocked, undefined);
  assertTells((await second.claim()).reason ?? "", ["001", "003", "001"]);
  const { unblocked } = await first.finish("1");
  assert.deepEqual(
    unblocked.map(({ number }) => number),
    ["003"],
  );
  assert.equal((await second.claim()).task?.number, "003");
  person("status", "3", "done");
  assertTells((await first.claim()).reason, ["done"]);
  const text = readFileSync(join(root, "p/tasks/001-draw-the-schema.md"), "utf8");
  assert.equal(text.slice(0, text.indexOf("# Task")), `---\nowner: ${owner}\npriority: high\n---\n`);
  assert.match(text, /1\. \[x\] Tables\n2\. \[x\] Keys/);
});
