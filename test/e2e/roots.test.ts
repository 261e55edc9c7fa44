import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createCurrentProject } from "../../src/workspace/current-project.ts";
import { builtFile } from "../fixtures/built.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const FILES = { "alpha/a.md": "same words", "beta/a.md": "same words" };

/** The built server, started in `cwd` by the official client, which answers `roots/list` with `answer`. */
async function startClient(t: TestContext, cwd: string, answer?: () => { roots: { uri: string }[] }) {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answer === undefined ? {} : { roots: { listChanged: true } } },
  );
  const asked = new Promise<void>((resolve) => {
    if (answer === undefined) return resolve();
    client.setRequestHandler(ListRootsRequestSchema, () => {
      resolve();
      return answer();
    });
  });
  const root = makeWorkspace(t, FILES);
  const args = [builtFile(t), "--root", root];
  const env = { PATH: process.env["PATH"] ?? "", HOME: temporaryFolder(t) };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env }));
  t.after(() => client.close());
  await asked;
  return client;
}

test("the instructions name the project of the folder where the server starts", async (t) => {
  const folder = join(temporaryFolder(t), "beta");
  writeFiles(folder, { ".git/HEAD": "", "src/deep/": "" });
  const client = await startClient(t, join(folder, "src", "deep"));
  assert.match(client.getInstructions() ?? "", /^Current project: beta \(named like the working folder\)$/m);
  const { structuredContent } = await client.callTool({ name: "search", arguments: { query: "same" } });
  // Otherwise alpha would come first.
  assert.equal((structuredContent as { results: { project: string }[] }).results[0]?.project, "beta");
  const elsewhere = await startClient(t, temporaryFolder(t));
  assert.match(elsewhere.getInstructions() ?? "", /^No current project: none is named 'vibe-test-/m);
});

test("the server asks a client for its roots, and also serves one that refuses", async (t) => {
  const repository = makeWorkspace(t, { "CLAUDE.md": "# Notes\n\nvibe: alpha\n" });
  const client = await startClient(t, temporaryFolder(t), () => ({
    roots: [{ uri: pathToFileURL(repository).href }],
  }));
  const { structuredContent } = await client.callTool({ name: "search", arguments: { query: "same" } });
  const { results } = structuredContent as { results: { project: string }[] };
  assert.deepEqual(
    results.map(({ project }) => project),
    ["alpha", "beta"],
  );
  const refusing = await startClient(t, temporaryFolder(t), () => {
    throw new Error("no");
  });
  assert.ok((await refusing.callTool({ name: "search", arguments: { query: "same" } })).structuredContent);
});

test("the client's roots replace the server's folder; roots that are not local files are ignored", async (t) => {
  const root = makeWorkspace(t, FILES);
  const place = temporaryFolder(t);
  for (const name of ["alpha", "beta", "other"]) mkdirSync(join(place, name));
  const uri = (name: string) => pathToFileURL(join(place, name)).href;
  const current = createCurrentProject(root, { folder: join(place, "beta"), home: place });
  const follow = async (...uris: string[]) => {
    await current.follow(Promise.resolve(uris));
    return current.project();
  };
  assert.equal(current.project(), "beta");
  assert.equal(await follow(), "beta");
  assert.equal(await follow("https://example.com/alpha", "not a uri"), "beta");
  assert.equal(await follow(uri("other"), uri("alpha")), "alpha");
  assert.equal(await follow(uri("other")), undefined);
  writeFileSync(join(place, "other", "AGENTS.md"), "- **vibe**: `Alpha`\n");
  assert.equal(await follow(uri("other")), "alpha");
});
