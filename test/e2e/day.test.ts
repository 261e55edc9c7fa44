import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { callers, temporaryFolder } from "../fixtures/workspace.ts";

test("a day of an agent: each step is listed and found at once", async (t) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtFile(t), "--root", join(temporaryFolder(t), "notes")],
    cwd: temporaryFolder(t),
    env: { HOME: temporaryFolder(t) },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  t.after(() => client.close());
  const { call } = callers(client);
  const total = async (query: string) =>
    (await call<{ total_matches: number }>("search", { query })).total_matches;
  await call("init_project", { project: "zoo" });
  await call("create_plan", {
    project: "zoo",
    content: "# Plan\n\n## Overview\nOpen the aviary.\n\n## Current Status\n- pending: 001, 002, 003\n",
  });
  assert.equal(await total("aviary"), 1);
  for (const [title, dependencies] of [
    ["Buy seeds", []],
    ["Build nests", ["001"]],
    ["Open gate", ["001", "002"]],
  ] as const) {
    await call("create_task", { project: "zoo", title, objective: `${title}.`, context: { dependencies } });
  }
  const ready = async () =>
    (await call<{ tasks: { number: string }[] }>("list_tasks", { project: "zoo", ready: true })).tasks.map(
      ({ number }) => number,
    );
  assert.deepEqual(await ready(), ["001"]);
  await call("update_task_status", { project: "zoo", task: "001", status: "in-progress" });
  assert.deepEqual(await ready(), []);
  await call("update_task_status", { project: "zoo", task: "001", status: "done" });
  assert.deepEqual(await ready(), ["002"]);
  await call("log_session", { project: "zoo", content: "## Done\n\nBought millet.\n" });
  assert.equal(await total("millet"), 1);
  const { parsed } = await call<{ parsed: { pending: number } }>("get_plan", { project: "zoo" });
  assert.equal(parsed.pending, 3);
});
