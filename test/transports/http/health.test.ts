import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { send, startHttp } from "../../fixtures/http.ts";
import { makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

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

test("GET /health says how far a first build of many notes is", async (t) => {
  const root = makeWorkspace(t, {});
  const text = (at: number) => `# ${at}\n\n${`word${at} `.repeat(200)}`;
  writeFiles(root, Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p/${at}.md`, text(at)])));
  const server = await startHttp(t, ["--root", root]);
  const health = async () =>
    (await (await send(server, { path: "/health", token: null })).json()) as Record<string, unknown>;
  const shares = new Set<unknown>();
  let found = await health();
  for (; found["documents"] === null; found = await health()) shares.add(found["indexing"]);
  assert.ok(
    [...shares].some((share) => /^\d\d?%$/.test(String(share))),
    [...shares].join(", "),
  );
  assert.deepEqual([found["documents"], found["indexing"]], [1000, undefined]);
});
