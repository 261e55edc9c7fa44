import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { builtFile } from "../fixtures/built.ts";
import { UNDER_WINE } from "../fixtures/disk.ts";
import { eachNight } from "../fixtures/num-runs.ts";
import { callers, type Files, makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const NOTES = {
  "shop/status.md": "# Shop\n",
  "shop/references/broker.md": "# Broker\n\nSee [[0001-queue]], [[repo:README]] and [gone](repo:gone.md).\n",
};
const REPOSITORY = {
  ".gitignore": "made.md\n",
  "README.md":
    "# Shop\n\nThis shop sells hats to everybody.\n\n[why](docs/adr/0001-queue.md), [how](.github/HOW.md) and [gone](docs/gone.md).\n",
  "docs/adr/0001-queue.md":
    "# Queue\n\n## Decision\n\nRabbitMQ, not Redis: walrus.\n\n[Up](../../README.md)\n",
  "docs/.drafts/hidden.md": "walrus\n",
  ".github/HOW.md": "walrus\n",
  "TODO.md": "- [ ] Ship it\n- [x] Build it\n",
  "made.md": "walrus\n",
};

/** A repository of this name with these files, of which git knows all but the ignored ones. */
function makeRepository(t: TestContext, files: Files, name = "shop"): string {
  const folder = join(temporaryFolder(t), name);
  mkdirSync(folder);
  writeFiles(folder, files);
  execFileSync("git", ["init", "-q", folder]);
  execFileSync("git", ["-C", folder, "add", "."]);
  return folder;
}

interface Start {
  root: string;
  /** What the client names. */
  folder: string;
  home: string;
  args?: string[];
}

/** The built server, with the official client on its stdin and stdout. */
async function start(t: TestContext, { root, folder, home, args = [] }: Start) {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home };
  const file = builtFile(t);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [file, "--root", root, ...args],
      cwd: home,
      env,
    }),
  );
  t.after(() => client.close());
  const { call, fail } = callers(client);
  const find = async (query: string, filter = {}) => {
    const { results } = await call<{ results: { path: string }[] }>("search", { query, ...filter });
    return results.map(({ path }) => path);
  };
  return { client, call, fail, find };
}

test("the documents of a client's repository are searched, read and linked, and the disk stays as it is", {
  skip: UNDER_WINE,
}, async (t) => {
  const [root, home] = [makeWorkspace(t, NOTES), temporaryFolder(t)];
  const folder = makeRepository(t, REPOSITORY);
  symlinkSync("README.md", join(folder, "CLAUDE.md"));
  const { call, fail, find, client } = await start(t, { root, folder, home });
  const decision = "shop/repo:docs/adr/0001-queue.md";
  assert.deepEqual(await find("why not Redis?"), [decision]);
  assert.deepEqual(await find("walrus"), [decision], "neither hidden nor ignored files");
  assert.deepEqual(await find("walrus", { folder: "repo:" }), [decision]);
  assert.deepEqual(await find("walrus", { folder: "references" }), []);

  for (const name of [
    { path: decision },
    { path: "repo:docs/adr/0001-queue" },
    { path: "vibe://projects/shop/repo:docs/adr/0001-queue.md" },
    { folder: "repo:", filename: "docs/adr/0001-QUEUE.md" },
    { path: "[[0001-queue]]" },
    { path: "[why](docs/adr/0001-queue.md)", from: "shop/repo:CLAUDE.md" },
  ]) {
    const { path, backlinks, broken_links } = await call("read_doc", name);
    const paths = ["shop/references/broker.md", "shop/repo:README.md"];
    assert.deepEqual([path, backlinks, broken_links], [decision, { total: 2, paths }, undefined]);
  }
  const { contents } = await client.readResource({ uri: "vibe://projects/shop/repo:README.md" });
  assert.match(JSON.stringify(contents), /docs\/gone\.md/);
  const brokenIn = async (path: string) => {
    const { broken_links = [] } = await call<{ broken_links?: { link: string }[] }>("read_doc", { path });
    return broken_links.map(({ link }) => link);
  };
  assert.deepEqual(await brokenIn("repo:readme.md"), ["[gone](docs/gone.md)"]);
  assert.deepEqual(await brokenIn("shop/references/broker.md"), ["[gone](repo:gone.md)"]);

  writeFileSync(join(folder, "docs/new.md"), "# Walrus\n");
  assert.deepEqual((await find("walrus")).sort(), [decision, "shop/repo:docs/new.md"], "changes are seen");
  const { text } = await call<{ text: string }>("get_briefing", { project: "shop" });
  assert.match(
    text,
    /## About\n\nFrom `shop\/repo:README\.md`:\n> This shop sells hats to everybody\.\n\n##/,
  );
  assert.match(text, /- `shop\/repo:docs\/adr\/`: 1\n/);
  assert.match(text, /0001-queue\.md`:\n> Queue\n> RabbitMQ, not Redis/);
  assert.match(text, /## Open Boxes\n\nFrom `shop\/repo:TODO\.md`:\n> - \[ \] Ship it\n\n## Overview/);
  assert.doesNotMatch(text, /\(none\)/);
  const listed = await call<{ folders: object }>("list_projects", { project: "shop" });
  const counted = await call<{ projects: { stats: { total_docs: number } }[] }>("list_projects", {});
  assert.deepEqual(Object.keys(listed.folders), ["", "references", "repo:"]);
  assert.equal(counted.projects[0]?.stats.total_docs, 2);
  assert.equal((await fail("read_doc", { path: "repo:made.md" })).code, "FILE_NOT_FOUND");
  for (const [tool, args] of [
    ["update_doc", { path: decision, content: "x", mode: "append" }],
    ["delete_doc", { path: decision, expected_hash: "0".repeat(16) }],
    ["move_doc", { path: decision, to_folder: "references" }],
    ["create_doc", { path: decision, content: "x" }],
    ["create_doc", { folder: "repo:docs", filename: "adr/0001-queue.md", content: "x" }],
    ["update_task_status", { task: "repo:docs/adr/0001-queue.md", status: "done" }],
  ] as const) {
    const { code, message } = await fail(tool, args);
    assert.equal(code, "READ_ONLY", tool);
    assert.match(message, /'docs\/adr\/0001-queue\.md' is in the project's repository/);
  }
  for (const tool of ["vault_read", "vault_create"] as const) {
    const args = { path: decision, ...(tool === "vault_read" ? { full: true } : { content: "x" }) };
    const { code, message } = await fail(tool, args);
    assert.equal(code, "out_of_scope");
    assert.match(message, /is in the project's repository/);
  }
  const toRepository = { path: "shop/references/broker.md", to_folder: "repo:docs" };
  assert.equal((await fail("move_doc", toRepository)).code, "READ_ONLY");
  assert.equal(
    readFileSync(join(folder, "docs/adr/0001-queue.md"), "utf8"),
    REPOSITORY["docs/adr/0001-queue.md"],
  );
});

test("no answer waits for the index of many documents, and it says so", {
  skip: UNDER_WINE || eachNight,
}, async (t) => {
  const [root, home] = [makeWorkspace(t, NOTES), temporaryFolder(t)];
  const folder = makeRepository(t, REPOSITORY);
  // The second would be corrected to a word of the notes; it comes after a start with an index that lacks it.
  for (const word of ["walrus", "brokre"]) {
    const pages = Array.from({ length: 201 }, (_, at) => [`docs/${word}-${at}.md`, `${word}\n`]);
    writeFiles(folder, Object.fromEntries(pages));
    const { client, call } = await start(t, { root, folder, home });
    const search = () =>
      call<{ hint?: string; total_matches: number; corrected_query?: string }>("search", { query: word });
    const { hint = "", total_matches, corrected_query } = await search();
    assert.match(hint, /being indexed/);
    assert.deepEqual([total_matches, corrected_query], [0, undefined]);
    let last = await search();
    for (; last.hint !== undefined; last = await search()) await setTimeout(50);
    assert.ok(last.total_matches > 200);
    await client.close();
    const indexes = join(home, ".local/state/vibe-mcp/documents");
    assert.equal(readdirSync(indexes).length, 1, "one that was not written for long is removed");
    writeFiles(indexes, { "other.db": "" });
    utimesSync(join(indexes, "other.db"), 0, 0);
  }
});

test("a repository is left out by a setting, and narrowed by a line", { skip: UNDER_WINE }, async (t) => {
  const [root, home] = [makeWorkspace(t, NOTES), temporaryFolder(t)];
  const agents = "vibe: shop\n\n<!-- vibe-docs: docs/adr, NEWS.md -->\n";
  const files = {
    "AGENTS.md": agents,
    "docs/adr/a.md": "walrus",
    "docs/b.md": "walrus",
    "NEWS.md": "walrus",
  };
  const folder = makeRepository(t, files, "other-name");
  const { find } = await start(t, { root, folder, home });
  const kept = ["shop/repo:NEWS.md", "shop/repo:docs/adr/a.md"];
  assert.deepEqual((await find("walrus")).sort(), kept);
  const elsewhere = await start(t, { root, folder: home, home });
  assert.deepEqual(
    (await elsewhere.find("walrus", { project: "shop" })).sort(),
    kept,
    "where it was seen last",
  );
  assert.deepEqual(await elsewhere.find("walrus"), []);
  const without = await start(t, { root, folder, home, args: ["--no-docs"] });
  assert.deepEqual(await without.find("walrus"), []);
});

test("a list of documents that holds for a while ends with a new name in their folders, or a question for one", {
  skip: UNDER_WINE || eachNight,
}, async (t) => {
  const [root, home] = [makeWorkspace(t, NOTES), temporaryFolder(t)];
  const folder = makeRepository(t, { ...REPOSITORY, "src/queue.ts": "" });
  const { call, find } = await start(t, { root, folder, home });
  for (const path of ["docs/adr/0002-new.md", "docs/how/new.md"]) {
    await setTimeout(2100);
    assert.ok(!(await find("quokka")).includes(`shop/repo:${path}`));
    writeFiles(folder, { [path]: "quokka\n" });
    assert.ok((await find("quokka")).includes(`shop/repo:${path}`), path);
  }
  await setTimeout(2100);
  await find("quokka");
  writeFiles(folder, { "src/README.md": "quokka\n" });
  const { content } = await call<{ content: string }>("read_doc", { path: "shop/repo:src/README.md" });
  assert.match(content, /quokka/);
});

test("an agent's day: what was renamed in the repository is marked until the note is right", {
  skip: UNDER_WINE,
}, async (t) => {
  const note = "shop/references/viewer.md";
  const root = makeWorkspace(t, {
    "shop/status.md": "# Shop\n",
    [note]: "# Viewer\n\nThe zebra view is drawn by `src/viewer.ts`.\n",
  });
  const home = temporaryFolder(t);
  const readme = "# Shop\n\nThe walrus calls `src/old.ts`.\n";
  const code = { "src/viewer.ts": "zebra\n".repeat(20), "src/old.ts": "old\n" };
  const folder = makeRepository(t, { ...code, "README.md": readme });
  const commit = (day: string) => {
    process.env["GIT_COMMITTER_DATE"] = `${day}T12:00:00Z`;
    const person = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    execFileSync("git", ["-C", folder, ...person, "commit", "-qam", day]);
    delete process.env["GIT_COMMITTER_DATE"];
  };
  commit("2026-01-01");
  const { client, call, fail } = await start(t, { root, folder, home });
  interface Hit {
    results: { path: string; outdated?: string }[];
  }
  const found = async (query = "zebra") => (await call<Hit>("search", { query })).results[0]?.outdated;
  /** No answer waits for git, which is asked once a second. */
  const foundLater = async (query?: string) => {
    let said = await found(query);
    for (let asked = 0; said === undefined && asked < 200; asked++) {
      await setTimeout(50);
      said = await found(query);
    }
    return said;
  };
  assert.equal(await found(), undefined);

  execFileSync("git", ["-C", folder, "mv", "src/viewer.ts", "src/task-viewer.ts"]);
  assert.equal(await found(), undefined, "not committed yet");
  execFileSync("git", ["-C", folder, "rm", "-q", "src/old.ts"]);
  commit("2026-02-01");
  const says = "`src/viewer.ts` is gone since 2026-02-01; now `src/task-viewer.ts`";
  assert.equal(await foundLater(), says);
  assert.match((await foundLater("walrus")) ?? "", /^`src\/old\.ts` is gone since 2026-02-01/);
  const theirs = { path: "shop/repo:README.md" };
  assert.equal((await fail("update_doc", { ...theirs, confirmed: true })).code, "READ_ONLY");
  assert.equal((await fail("update_doc", { ...theirs, supersedes: note })).code, "READ_ONLY");
  const read = () => call<{ outdated?: object[]; hint?: string }>("read_doc", { path: note });
  assert.deepEqual((await read()).outdated, [{ line: 3, says }]);
  const { messages } = await client.getPrompt({ name: "review_notes", arguments: { project: "shop" } });
  const [message] = messages;
  const text = message?.content.type === "text" ? message.content.text : "";
  assert.ok(text.includes(`\`${note}\`\n- line 3: ${says}\n`), text);

  const write = async (tool: string, args: Record<string, unknown>) =>
    (await call<{ hint?: string }>(tool, args)).hint ?? "";
  const memory = "It calls `src/old.ts` and `src/plan.ts`.";
  const gone = /Is it right\? `src\/old\.ts` is gone since 2026-02-01 \(commit [0-9a-f]{9}\)\.$/;
  const created = { project: "shop", folder: "references", filename: "calls.md", content: memory };
  assert.match(await write("create_doc", created), gone);
  assert.match(await write("create_task", { project: "shop", title: "Call it", objective: memory }), gone);
  const added = { path: note, content: memory, mode: "append" };
  assert.match(await write("update_doc", added), gone);
  assert.doesNotMatch(await write("log_session", { project: "shop", content: memory }), /gone/);

  const right = "# Viewer\n\nThe zebra view is drawn by `src/task-viewer.ts`, with `src/old.ts`.\n";
  const { hash } = await call<{ hash: string }>("read_doc", { path: note });
  await call("update_doc", { path: note, content: right, exact: true, expected_hash: hash });
  assert.match((await found()) ?? "", /^`src\/old\.ts` is gone/);
  await call("update_doc", { path: note, confirmed: true });
  assert.deepEqual([await found(), (await read()).outdated], [undefined, undefined]);
});
