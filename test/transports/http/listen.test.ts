import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { demoFiles } from "../../../src/cli/commands/demo/files.ts";
import { allTools } from "../../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../../src/core/mcp/vault/all.ts";
import {
  connectHttp,
  INITIALIZE,
  openSession,
  post,
  READ_TOKEN,
  serveHttp,
  TOKEN,
} from "../../fixtures/http.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const everyTool = [...allTools, ...vaultTools];

for (const sse of [false, true]) {
  const name = sse ? "the older SSE transport" : "Streamable HTTP";
  test(`over ${name} the official client lists, searches, reads, writes and gets prompts`, async (t) => {
    const root = temporaryFolder(t);
    writeFiles(root, Object.fromEntries(demoFiles(new Date()).map(({ path, content }) => [path, content])));
    const server = await serveHttp(t, ["--root", root]);
    const { client, call, fail } = await connectHttp(t, server, { sse });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      everyTool.map((tool) => tool.name),
    );
    const { results } = await call<{ results: Record<string, string>[] }>("search", {
      query: "認証トークン",
    });
    const { project, folder, filename } = results[0] ?? assert.fail();
    const { content } = await call("read_doc", { project, folder, filename });
    assert.equal(content, readFileSync(join(root, project ?? "", folder ?? "", filename ?? ""), "utf8"));
    const { path } = await call<{ path: string }>("create_doc", {
      project: "payments-api",
      folder: "scratch",
      filename: "over-http",
      content: "# 端末\n\nñandú",
    });
    assert.equal(readFileSync(join(root, path), "utf8"), "# 端末\n\nñandú");
    assert.equal(
      (await fail("read_doc", { project: "nope", folder: "", filename: "a" })).code,
      "PROJECT_NOT_FOUND",
    );
    assert.ok((await client.listResources()).resources.length > 3);
    assert.equal(
      (await client.getPrompt({ name: "session_start", arguments: { project: "payments-api" } })).messages
        .length,
      1,
    );
  });

  test(`over ${name} a read-only token sees the tools that read, and no other works`, async (t) => {
    const root = makeWorkspace(t, { "p/status.md": "# P\n" });
    const server = await serveHttp(t, ["--root", root]);
    const { client, call, fail } = await connectHttp(t, server, { sse, token: READ_TOKEN });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      everyTool.filter(({ access }) => access === "read").map((tool) => tool.name),
    );
    assert.equal((await call("list_projects"))["total"], 1);
    const doc = { project: "p", folder: "", filename: "new", content: "x" };
    assert.equal((await fail("create_doc", doc)).code, "READ_ONLY");
    assert.equal((await fail("vault_create", { path: "p/new.txt", content: "x" })).code, "READ_ONLY");
    const writer = await connectHttp(t, server, { sse });
    await writer.call("create_doc", doc);
    assert.equal((await call("list_projects", { project: "p" }))["name"], "p");
    assert.ok(existsSync(join(root, "p", "new.md")));
  });
}

test("progress arrives on the stream of the call", async (t) => {
  const files = Array.from({ length: 60 }, (_, n) => [`p/references/${n}.md`, `# ${n}\n`]);
  const server = await serveHttp(t, ["--root", makeWorkspace(t, Object.fromEntries(files))]);
  const headers = { "Mcp-Session-Id": await openSession(server) };
  const params = { name: "reindex", arguments: { full: true }, _meta: { progressToken: "mine" } };
  const answer = await post(server, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, { headers });
  assert.match(await answer.text(), /notifications\/progress.*"mine"[\s\S]*"id":1/);
});

test("a client finds at once what another writes", async (t) => {
  const server = await serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })]);
  const [one, two] = [await connectHttp(t, server), await connectHttp(t, server, { sse: true })];
  await one.call("create_task", { project: "p", title: "Quixotic", objective: "Zanzibar" });
  assert.equal((await two.call("search", { query: "zanzibar" }))["total_matches"], 1);
});

test("without a token the server accepts this machine, and the log warns", async (t) => {
  const server = await serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })], {});
  const response = await post(server, INITIALIZE, { token: null });
  assert.equal(response.status, 200);
  assert.match(server.stderr(), /no token/);
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z $/;

test("the log names the workspace and the ways to log in, never a token, and each line has its time", async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const both = await serveHttp(t, ["--root", root, "--oauth", "--public-url", "https://vibe.example.com"]);
  const login = "tokens=1 read_only_tokens=1 token_file=none oauth=https://vibe.example.com/mcp";
  assert.ok(both.stderr().includes(` info: serving ${root} ${login}\n`), both.stderr());
  assert.ok(!both.stderr().includes(TOKEN) && !both.stderr().includes(READ_TOKEN));
  const none = await serveHttp(t, ["--root", root], {});
  assert.ok(none.stderr().includes(`${root} tokens=0 read_only_tokens=0 token_file=none oauth=off\n`));
  writeFiles(root, { tokens: `${TOKEN}\nread ${READ_TOKEN}\n` });
  const file = await serveHttp(t, ["--root", root, "--token-file", join(root, "tokens")], {});
  assert.ok(
    file.stderr().includes(`tokens=1 read_only_tokens=1 token_file=${join(root, "tokens")} oauth=off\n`),
  );
  const lines = [both, none, file].flatMap(({ stderr }) => stderr().trimEnd().split("\n"));
  for (const line of lines) assert.match(line.split("vibe-mcp ")[0] ?? "", TIME, line);
});
