import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { listOf } from "../../src/core/lib/fields.ts";
import { handshake, startBuilt } from "../fixtures/built.ts";
import { connectStdio, ENVELOPE, hearChanges, NEWEST } from "../fixtures/modern.ts";
import { isNightly } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const FILES = { "p/tasks/001-a.md": "# A\n\nzebra", "p/status.md": "# P", "q/b.md": "# B" };
const A = "vibe://projects/p/tasks/001-a.md";

test("a client that negotiates speaks the newest revision, and so does one that insists on it", async (t) => {
  const root = makeWorkspace(t, FILES);
  for (const mode of ["auto", { pin: NEWEST }] as const) {
    const { client, call, fail } = await connectStdio(t, ["--root", root], { mode });
    assert.equal(client.getProtocolEra(), "modern");
    assert.equal(client.getServerVersion()?.name, "vibe");
    assert.match(client.getInstructions() ?? "", /Projects: p, q\./);
    assert.equal((await call("search", { query: "zebra" }))["total_matches"], 1);
    assert.equal(
      (await fail("read_doc", { project: "p", folder: "tasks", filename: "x" })).code,
      "FILE_NOT_FOUND",
    );
  }
});

test("the skill reaches a client that knows the extension and has the tools that it names", async (t) => {
  const root = makeWorkspace(t, FILES);
  const extensions = { "io.modelcontextprotocol/skills": {} };
  for (const mode of ["legacy", { pin: NEWEST }] as const) {
    const { client } = await connectStdio(t, ["--root", root], { mode, extensions });
    assert.match(client.getServerVersion()?.websiteUrl ?? "", /^https:/);
    const skills = new SkillsClient(client);
    const [entry, ...others] = (await skills.list()).skills;
    assert.deepEqual(others, []);
    assert.ok(entry !== undefined);
    const { verified, frontmatter, text } = await skills.read(entry);
    assert.deepEqual([verified, frontmatter?.["name"]], [true, "vibe"]);
    assert.ok(text?.includes("get_briefing") && !text.includes("this skill's folder"));
    assert.deepEqual((await skills.get(entry.uri)).skill, entry);
    await assert.rejects(skills.get("skill://other/SKILL.md"), { code: -32602 });
  }
  const others = [{}, { env: { VIBE_TOOLS: "core" }, extensions }, { env: { VIBE_API: "v1" }, extensions }];
  for (const options of others) {
    const { client } = await connectStdio(t, ["--root", root], options);
    assert.equal(new SkillsClient(client).supported, false);
  }
});

test("one connection first asks what the server can do, then falls back to the older handshake", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, FILES)]);
  server.request(7, "server/discover", { _meta: ENVELOPE });
  const { result } = await server.reply(7);
  const [first, ...older] = listOf(result?.["supportedVersions"]);
  assert.equal(first, NEWEST);
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
    assert.ok(older.includes(version));
  assert.equal((await handshake(server)).result?.["protocolVersion"], "2025-06-18");
  server.request(8, "tools/call", { name: "search", arguments: { query: "zebra" } });
  assert.equal((await server.reply(8)).result?.["resultType"], undefined);
});

test("an unknown version is refused in every message", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, FILES)]);
  server.request(1, "server/discover", { _meta: ENVELOPE });
  await server.reply(1);
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  server.request(2, "tools/list", { _meta });
  assert.deepEqual((await server.reply(2)).error, {
    code: -32022,
    message: "Unsupported protocol version: 2099-01-01",
    data: { supported: [NEWEST], requested: "2099-01-01" },
  });
  server.request(3, "tools/list", { _meta: ENVELOPE });
  assert.equal((await server.reply(3)).error, undefined);
});

test("a client listens to changes of documents and of the list, and stops", async (t) => {
  // By day only subscriptions of the older revision are tried without file watching.
  for (const watch of isNightly ? ["auto", "off"] : ["auto"]) {
    const root = makeWorkspace(t, FILES);
    const { client } = await connectStdio(t, ["--root", root], { env: { VIBE_WATCH: watch } });
    const { heard, until } = hearChanges(client);
    const missing = "vibe://projects/p/tasks/999-none.md";
    const documents = await client.listen({ resourceSubscriptions: [A, missing] });
    assert.deepEqual(documents.honoredFilter, { resourceSubscriptions: [A] });
    const list = await client.listen({ resourcesListChanged: true });
    writeFileSync(join(root, "p", "status.md"), "# P\n\nchanged");
    writeFileSync(join(root, "p", "tasks", "001-a.md"), "# A\n\nchanged");
    await until(A);
    renameSync(join(root, "q", "b.md"), join(root, "q", "c.md"));
    await until("list");
    assert.ok(!heard.includes("vibe://projects/p/status.md"));
    await documents.close();
    heard.length = 0;
    writeFileSync(join(root, "p", "tasks", "001-a.md"), "# A\n\nchanged again");
    renameSync(join(root, "q", "c.md"), join(root, "q", "d.md"));
    await until("list");
    assert.deepEqual([...new Set(heard)], ["list"]);
    await list.close();
  }
});

test("replies are written after the client closed its end, however long it listened", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, FILES)]);
  const notifications = { resourceSubscriptions: [A] };
  server.request(1, "subscriptions/listen", { notifications, _meta: ENVELOPE });
  server.request(2, "tools/call", { name: "search", arguments: { query: "zebra" }, _meta: ENVELOPE });
  server.child.stdin.end();
  assert.deepEqual(await server.exit, { code: 0, signal: null });
  const answered = server.received.map(({ id }) => id).filter((id) => id !== undefined);
  assert.deepEqual(answered.sort(), [1, 2]);
});
