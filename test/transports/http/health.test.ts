import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { send, startHttp } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

test("GET /health shows version, documents and read-only mode without a token", async (t) => {
  const root = makeWorkspace(t, {
    "secret-project/status.md": "# P\n",
    "secret-project/tasks/001-a.md": "# A\n",
  });
  const server = await startHttp(t, ["--root", root, "--read-only"]);
  const health = async () =>
    (await (await send(server, { path: "/health", token: null })).json()) as Record<string, unknown>;
  let found = await health();
  while (found["documents"] === null) found = await health();
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  assert.deepEqual(found, { status: "ok", version, documents: 2, read_only: true });
  const head = await send(server, { path: "/health", token: null, method: "HEAD" });
  assert.equal(head.status, 200);
});
