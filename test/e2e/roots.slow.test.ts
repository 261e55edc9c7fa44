import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  ListRootsRequestSchema,
  ResourceListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createCurrentProject } from "../../src/core/workspace/place/current-project.ts";
import { builtFile } from "../fixtures/built.ts";
import { connect as connectTo, makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const FILES = { "alpha/a.md": "same words", "beta/a.md": "same words" };

/** The built server, started in `cwd` by the official client, which answers `roots/list` with `answer`. */
async function startClient(t: TestContext, cwd: string, answer?: Answer) {
  const root = makeWorkspace(t, FILES);
  return startWith(t, { cwd, answer, args: ["--root", root], home: temporaryFolder(t) });
}

type Answer = () => { roots: { uri: string }[] };
type Start = { cwd: string; answer?: Answer | undefined; args?: string[]; home: string };

async function startWith(t: TestContext, { cwd, answer, args = [], home }: Start) {
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
  const started = { command: process.execPath, args: [builtFile(t), ...args], cwd };
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home };
  await client.connect(new StdioClientTransport({ ...started, env }));
  t.after(() => client.close());
  await asked;
  return client;
}

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
  const { notes } = await connectTo(t, root);
  const current = createCurrentProject(notes, { folder: join(place, "beta"), home: place });
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

test("a repository that keeps its notes itself is served once the client names it", async (t) => {
  const home = temporaryFolder(t);
  writeFiles(home, { ".vibe/alpha/a.md": "home words" });
  const repository = temporaryFolder(t);
  const files = { ".git/HEAD": "", "AGENTS.md": "vibe: notes/alpha\n", "notes/alpha/a.md": "team words" };
  writeFiles(repository, { ...files, "src/": "" });
  const uri = pathToFileURL(join(repository, "src")).href;
  let roots = [{ uri }];
  const client = await startWith(t, { cwd: home, home, answer: () => ({ roots }) });
  const read = async (on: Client) => {
    const { content } = await on.callTool({ name: "read_doc", arguments: { path: "alpha/a.md" } });
    return JSON.stringify(content);
  };
  assert.match(await read(client), /team words/, "the first call waits for the roots");
  const task = { project: "alpha", title: "Ship it", objective: "The team has it." };
  await client.callTool({ name: "create_task", arguments: task });
  assert.deepEqual(readdirSync(join(repository, "notes/alpha/tasks")), ["001-ship-it.md"]);
  assert.ok(!existsSync(join(home, ".vibe/alpha/tasks")));

  roots = [{ uri: pathToFileURL(home).href }];
  await client.sendRootsListChanged();
  assert.match(await read(client), /home words/);

  const named = await startWith(t, { cwd: home, home });
  const listChanged = new Promise<void>((resolve) =>
    named.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve()),
  );
  assert.match(await read(named), /home words/);
  const here = join(repository, "src");
  const briefing = await named.callTool({ name: "get_briefing", arguments: { here } });
  assert.match(JSON.stringify(briefing.content), /Ship it/);
  await listChanged;
  assert.match(await read(named), /team words/);

  const decided = await startWith(t, {
    cwd: home,
    home,
    args: ["--root", join(home, ".vibe")],
    answer: () => ({ roots: [{ uri }] }),
  });
  assert.match(await read(decided), /home words/, "a setting decides");
});
