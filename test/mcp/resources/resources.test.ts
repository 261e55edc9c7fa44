import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { matchSnapshot } from "../../fixtures/snapshot.ts";
import { connect, dateFile, type Files, makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const FILES: Files = {
  "vibeMCP/tasks/004-definir-interfaz-mcp.md":
    "---\ntags: [mcp, design]\nupdated: 2025-02-09\n---\n# Task: Definir interfaz MCP\n\nStatus: pending\n",
  "vibeMCP/tasks/005-crear-workspace.md": "# Task: Crear workspace\n\nStatus: done\n",
  "vibeMCP/assets/diagrams/flujo de datos ñ.md": "# Flujo",
  "vibeMCP/status.md": "# vibeMCP",
  "日本 語/notes/100%, a+b?.md": "# 百",
  "empty/": "",
};

async function connected(t: TestContext, files: Files = FILES) {
  const root = makeWorkspace(t, files);
  for (const path of Object.keys(files))
    if (path.endsWith(".md")) dateFile(root, path, "2025-02-09T14:30:00Z");
  return { root, ...(await connect(t, root)) };
}

async function read<T = Record<string, unknown>>(client: Client, uri: string): Promise<T> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  assert.equal(contents.length, 1);
  assert.equal(content?.uri, uri);
  assert.equal(content.mimeType, "application/json");
  return JSON.parse("text" in content ? content.text : "") as T;
}

async function missing(client: Client, uri: string): Promise<string> {
  const error = await client.readResource({ uri }).then(
    () => assert.fail(`${uri} was read`),
    (reason: unknown) => reason as { code: number; message: string; data: unknown },
  );
  assert.equal(error.code, -32002, uri);
  assert.deepEqual(error.data, { uri });
  assert.match(error.message, /Resource not found/);
  return error.message;
}

test("vibe://projects and a project have the shapes of list_projects, without its decisions", async (t) => {
  const { client, call } = await connected(t);
  const { projects } = await call("list_projects");
  assert.deepEqual(await read(client, "vibe://projects"), { projects });
  assert.deepEqual(await read(client, "vibe://projects/"), { projects });
  const { decisions, ...project } = await call("list_projects", { project: "vibeMCP" });
  assert.deepEqual(decisions, []);
  assert.deepEqual(await read(client, "vibe://projects/vibeMCP"), project);
  assert.deepEqual(await read(client, "vibe://projects/vibemcp"), project);
});

test("a document comes with its metadata and its whole text", async (t) => {
  const { client } = await connected(t);
  const filename = "004-definir-interfaz-mcp.md";
  assert.deepEqual(await read(client, `vibe://projects/vibeMCP/tasks/${filename}`), {
    project: "vibeMCP",
    folder: "tasks",
    filename,
    path: `vibeMCP/tasks/${filename}`,
    metadata: {
      type: "task",
      status: "pending",
      updated: "2025-02-09",
      tags: ["mcp", "design"],
      owner: null,
    },
    content: FILES[`vibeMCP/tasks/${filename}`],
  });
  const status = await read(client, "vibe://projects/vibeMCP/status.md");
  assert.equal(status["folder"], "");
  assert.equal(status["content"], "# vibeMCP");
  assert.deepEqual(await read(client, "vibe://projects/vibeMCP//status.md"), status);
});

test("names may be nested, and percent-encoded in part or in full", async (t) => {
  const { client } = await connected(t);
  const nested = [
    "vibe://projects/vibeMCP/assets/diagrams/flujo%20de%20datos%20%C3%B1.md",
    "vibe://projects/vibeMCP/assets/diagrams%2Fflujo%20de%20datos%20%C3%B1.md",
    "vibe://projects/vibeMCP/assets/diagrams/flujo de datos ñ.md",
  ];
  for (const uri of nested) {
    assert.equal((await read(client, uri))["filename"], "diagrams/flujo de datos ñ.md");
  }
  const odd = "vibe://projects/%E6%97%A5%E6%9C%AC%20%E8%AA%9E/notes/100%25%2C%20a%2Bb%3F.md";
  assert.equal((await read(client, odd))["content"], "# 百");
});

test("every listed address can be read", async (t) => {
  const { client } = await connected(t);
  const { resources } = await client.listResources();
  assert.equal(resources.length, 1 + 3 + 5);
  for (const { uri } of resources) await read(client, uri);
});

test("a picture in assets is a blob of at most 5 MB, and nothing else is one", async (t) => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
  const { client, root } = await connected(t, {
    "p/assets/deep/x y.PNG": bytes,
    "p/assets/big.png": Buffer.alloc(5 * 1024 * 1024 + 1),
    "p/assets/page.html": "<p>",
    "p/notes/x.png": bytes,
    "p/assets/.hidden.png": bytes,
    "p/status.md": "# P",
  });
  const uri = "vibe://projects/P/assets/deep/x%20y.PNG";
  const { contents } = await client.readResource({ uri });
  assert.deepEqual(contents, [{ uri, mimeType: "image/png", blob: bytes.toString("base64") }]);
  const outside = join(temporaryFolder(t), "secret.png");
  writeFileSync(outside, bytes);
  if (!ON_WINDOWS) symlinkSync(outside, join(root, "p/assets/link.png"));
  for (const name of [
    "assets/page.html",
    "notes/x.png",
    "assets/none.png",
    "assets/.hidden.png",
    "assets/link.png",
    "assets/..%2F..%2F..%2Fsecret.png",
    "assets/%2e%2e/notes/x.png",
  ])
    await missing(client, `vibe://projects/p/${name}`);
  const big = client.readResource({ uri: "vibe://projects/p/assets/big.png" });
  await assert.rejects(big, /Could not read 'p\/assets\/big\.png': it is too large/);
});

test("missing resources and invalid addresses are the protocol's not-found error", async (t) => {
  const { root, client } = await connected(t);
  const uris = [
    "vibe://projects/nope",
    "vibe://projects/vibeMCP/tasks/999-none.md",
    "vibe://projects/vibeMCP/taks/004.md",
    "vibe://projects/vibeMCP/tasks",
    "vibe://projects/..",
    "vibe://projects/%2e%2e/x.md",
    "vibe://projects/vibeMCP/..%2f..%2fetc%2fpasswd",
    "vibe://projects/vibeMCP/tasks/%252e%252e/status.md",
    "vibe://projects/vibeMCP/.git/config.md",
    "vibe://projects/vibeMCP/%E0%A4%A/x.md",
    "vibe://projects/vibeMCP/tasks/a%00.md",
    `vibe://projects/vibeMCP/tasks/${"x".repeat(900)}.md`,
    `vibe://projects/vibeMCP/tasks/${"x".repeat(9000)}.md`,
    "vibe://projectsx",
    "vibe://other",
    "file:///etc/passwd",
    "",
  ];
  for (const uri of uris) assert.ok(!(await missing(client, uri)).includes(root), uri);
  assert.match(await missing(client, "vibe://projects/nope"), /Known projects: .*vibeMCP/);
});

test("the list is paged without gaps and repeats, the newest documents of each project first", async (t) => {
  const files = Object.fromEntries(
    ["a", "b", "c"].flatMap((project) =>
      Array.from({ length: 60 }, (_, n) => [`${project}/notes/${String(n).padStart(3, "0")}.md`, "x"]),
    ),
  );
  const root = makeWorkspace(t, files);
  for (const path of Object.keys(files)) {
    dateFile(root, path, new Date(Date.UTC(2025, 0, 1 + Number(path.slice(-6, -3)))).toISOString());
  }
  const { client } = await connect(t, root);
  const uris: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    assert.ok(page.resources.length <= 101);
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  assert.equal(pages, 2);
  assert.equal(new Set(uris).size, uris.length);
  assert.equal(uris.length, 1 + 3 * 51);
  assert.deepEqual(uris.slice(0, 3), [
    "vibe://projects",
    "vibe://projects/a",
    "vibe://projects/a/notes/059.md",
  ]);
});

test("a cursor of another server is refused", async (t) => {
  const { client } = await connected(t);
  for (const cursor of ["x", "W10", Buffer.from("[1]").toString("base64url"), "é"]) {
    await assert.rejects(client.listResources({ cursor }), { code: -32602 }, cursor);
  }
});

test("the templates match the reviewed snapshot", async (t) => {
  const { client } = await connected(t);
  const { resourceTemplates } = await client.listResourceTemplates();
  const { resources } = await client.listResources();
  matchSnapshot("resources.json", `${JSON.stringify({ resourceTemplates, resources }, null, 2)}\n`);
});

test("names, folders and files are completed from what exists", async (t) => {
  const { client } = await connected(t);
  const document = "vibe://projects/{name}/{folder}/{+file}";
  const complete = async (uri: string, name: string, value: string, known?: Record<string, string>) => {
    const context = known === undefined ? {} : { context: { arguments: known } };
    const ref = { type: "ref/resource" as const, uri };
    return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values;
  };
  assert.deepEqual(await complete(document, "name", ""), ["empty", "vibeMCP", "日本 語"]);
  assert.deepEqual(await complete("vibe://projects/{name}", "name", "VIBE"), ["vibeMCP"]);
  assert.deepEqual(await complete(document, "folder", "", { name: "vibeMCP" }), ["tasks", "assets"]);
  assert.deepEqual(await complete(document, "folder", "not"), ["notes"]);
  assert.deepEqual(await complete(document, "file", "definir", { name: "vibemcp", folder: "tasks" }), [
    "004-definir-interfaz-mcp.md",
  ]);
  assert.deepEqual(await complete(document, "file", "diagrams/", { name: "vibeMCP" }), [
    "diagrams/flujo de datos ñ.md",
  ]);
  assert.deepEqual(await complete(document, "file", "", { name: "gone" }), []);
  const rootFile = "vibe://projects/{name}/{+file}";
  assert.deepEqual(await complete(rootFile, "file", "", { name: "vibeMCP" }), ["status.md"]);
  await assert.rejects(complete(document, "size", ""), { code: -32602 });
  await assert.rejects(complete("vibe://nothing/{name}", "name", ""), { code: -32602 });
});

test("a completion gives at most 100 values and says how many there are", async (t) => {
  const files = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`p${n}/`, ""]));
  const { client } = await connected(t, files);
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: "vibe://projects/{name}" },
    argument: { name: "name", value: "p" },
  });
  assert.equal(completion.values.length, 100);
  assert.equal(completion.total, 130);
  assert.equal(completion.hasMore, true);
});

test("a read-only server over a workspace that does not exist yet lists nothing but itself", async (t) => {
  const { client } = await connect(t, join(makeWorkspace(t, {}), "missing"), { readOnly: true });
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ["vibe://projects"],
  );
  assert.deepEqual(await read(client, "vibe://projects"), { projects: [] });
});
