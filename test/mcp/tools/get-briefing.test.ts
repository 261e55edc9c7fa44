import assert from "node:assert/strict";
import { test } from "node:test";
import { VIBE_MCP_CLOCK, writeVibeMcp } from "../../fixtures/vibe-mcp-project.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

test("get_briefing gives the text of session_start", async (t) => {
  const root = makeWorkspace(t, {});
  writeVibeMcp(root);
  const { client, call } = await connect(t, root, { clock: VIBE_MCP_CLOCK });
  for (const focus of [undefined, "004", "FTS5"]) {
    const args = { project: "vibeMCP", ...(focus !== undefined && { focus }) };
    const { messages } = await client.getPrompt({ name: "session_start", arguments: args });
    const content = messages[0]?.content;
    const answer = await call("get_briefing", { project: "vibemcp", focus });
    assert.deepEqual(answer, { project: "vibeMCP", text: content?.type === "text" ? content.text : "" });
  }
});

test("get_briefing costs little, is read-only, and names the projects that exist", async (t) => {
  const { client, fail } = await connect(t, makeWorkspace(t, { "alpha/": "" }), { readOnly: true });
  const tool = (await client.listTools()).tools.find(({ name }) => name === "get_briefing");
  const cost = `${tool?.name}${tool?.description}${JSON.stringify(tool?.inputSchema)}`.length / 4;
  assert.ok(cost <= 80, `${cost}`);
  const error = await fail("get_briefing", { project: "alhpa" });
  assert.equal(error.code, "PROJECT_NOT_FOUND");
  assert.deepEqual(error.details.suggestions, ["alpha"]);
});
