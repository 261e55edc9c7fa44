import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallTool, EXAMPLE_PROJECT, workOneDay } from "../../scripts/day/calls.ts";
import { demoFiles } from "../../src/cli/commands/demo/files.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const MOST = { day: 14_000, tools: 6_450 };

test("a day of an agent in the example costs at most 14,000 tokens, and the list of tools what it did", async (t) => {
  const files = demoFiles(new Date()).map(({ path, content }) => [path, content]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const { client, call } = await connect(t, root, { current: EXAMPLE_PROJECT });
  let chars = 0;
  const counting: CallTool = async (name, args) => {
    const answer = await call(name, { ...args });
    chars += JSON.stringify(answer).length;
    return answer as never;
  };
  await workOneDay(EXAMPLE_PROJECT, counting);
  assert.ok(chars / 4 <= MOST.day, `${chars / 4}`);
  const { tools } = await client.listTools();
  const listed = JSON.stringify(tools).length / 4;
  assert.ok(listed <= MOST.tools, `${listed}`);
});
