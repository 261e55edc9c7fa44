import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startV1, type V1 } from "../../fixtures/v1-client.ts";
import { type Files, makeWorkspace } from "../../fixtures/workspace.ts";

// What the earlier server did wrong, and its users had to live with: docs/import.md promises each of these, and what the examples show.

type Row = Record<string, unknown>;

const start = (t: TestContext, files: Files) => startV1(t, { root: makeWorkspace(t, files) });
const paths = async ({ answer }: V1, query: string) =>
  ((await answer("search", { query })) as Row[]).map((row) => row["document_path"]);

test("a list in the field status spoils nothing", async (t) => {
  const server = await start(t, {
    "p/tasks/001-a.md": "---\nstatus: [done, pending]\n---\n# Task: A\n\nnarwhal\n",
    "p/tasks/002-b.md": "# Task: B\n\nnarwhal\n",
  });
  assert.deepEqual((await paths(server, "narwhal")).sort(), ["p/tasks/001-a.md", "p/tasks/002-b.md"]);
  await server.answer("tool_reindex");
  assert.equal((await paths(server, "narwhal")).length, 2);
});
