import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const TASK = "# Task: A\n\nStatus: pending\n\n## Objective\na\n";
const FILES = {
  "p/tasks/001-ana.md": TASK,
  "p/tasks/002-bob.md": TASK,
  "q/tasks/001-x.md": TASK,
};
const LOST = "`p/tasks/001-ana.md` is held by 'ana'. claim_task gives another task.";

test("news of other machines stand in the answer, once, in words for its moment", async (t) => {
  const { client, workspace } = await connect(t, makeWorkspace(t, FILES));
  const news = ["Old."];
  workspace.news = () => news;
  const call = async (name: string, args: object) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: { ...args } });
    const [first, ...others] = content as { text: string }[];
    assert.equal(first?.text, JSON.stringify(structuredContent));
    const { news: told } = structuredContent as { news?: string[] };
    assert.deepEqual(
      others.map(({ text }) => text),
      told === undefined ? [] : [`News: ${told.join(" ")}`],
    );
    return told;
  };
  assert.equal(await call("list_tasks", {}), undefined, "what came before this client is no news");
  news.push(LOST, ...[1, 2, 3, 4, 5].map((at) => `Number ${at}.`));
  const first = await call("claim_task", { project: "p", agent: "bob" });
  assert.deepEqual(first, [
    "`p/tasks/001-ana.md` is held by 'ana'.",
    "Number 1.",
    "Number 2.",
    "Number 3.",
    "Number 4.",
  ]);
  assert.deepEqual(await call("list_tasks", {}), ["Number 5."]);
  assert.equal(await call("list_tasks", {}), undefined);
  news.push(LOST);
  assert.deepEqual(await call("list_tasks", {}), [LOST], "it happened again");
  news.splice(0, 3);
  assert.equal(await call("list_tasks", {}), undefined);
});

test("an error, and a list of API v1, are followed by the news", async (t) => {
  for (const [api, name] of [
    ["v2", "get_plan"],
    ["v1", "list_tasks"],
  ] as const) {
    const { client, workspace } = await connect(t, makeWorkspace(t, FILES), { api });
    const news: string[] = [];
    workspace.news = () => news;
    await client.callTool({ name: "list_tasks", arguments: {} });
    news.push(LOST);
    const { content } = await client.callTool({ name, arguments: { project: api === "v2" ? "nope" : "p" } });
    const [, second] = content as { text: string }[];
    const next = api === "v2" ? " claim_task gives another task." : "";
    assert.equal(second?.text, `News: \`p/tasks/001-ana.md\` is held by 'ana'.${next}`);
  }
});
