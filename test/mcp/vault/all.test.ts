import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { vaultTools } from "../../../src/core/mcp/vault/all.ts";
import type { Lock } from "../../../src/core/storage/locks.ts";
import { contentOf } from "../../../src/core/storage/read.ts";
import { openVault } from "../../../src/core/workspace/vault.ts";
import { handshake, startBuilt } from "../../fixtures/built.ts";
import { connect, makeWorkspace, open, temporaryFolder } from "../../fixtures/workspace.ts";

test("the five tools cost at most 700 tokens, and two of them write", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}), { tools: "vault" });
  const { tools } = await client.listTools();
  assert.equal(tools.length, 5);
  const cost = tools.map((tool) => tool.name + tool.description + JSON.stringify(tool.inputSchema));
  assert.ok(cost.join("").length / 4 <= 700, `${cost.join("").length / 4}`);
  const writers = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  assert.deepEqual(writers.map(({ name }) => name).sort(), ["vault_create", "vault_replace"]);
});

test("wrong, missing and unknown arguments answer with the vault's codes, in the envelope", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  for (const { name } of vaultTools) {
    for (const path of [5, true, null, ["p/a.md"], {}, undefined]) {
      if (name === "vault_ls" && (path === null || path === undefined)) continue;
      const error = await fail(name, { path });
      assert.equal(error.code, "invalid_path", name);
      assert.match(error.message, /'path'/);
    }
    const full = { path: "p/a.md", content: "x", find: "x", replace: "y" };
    const error = await fail(name, { ...full, pth: "x" });
    assert.equal(error.code, "invalid_parameter", name);
    assert.ok(error.message.includes(`${name} takes: `));
  }
});

const TEXTS = { find: "x", replace: "y" };
const NO_NUMBERS = [true, false, -1, 0.5, "one", [1], {}];
const rangesOf = (start_line: unknown, end_line: unknown) => ({ range: { start_line, end_line } });

/** Values of another kind than their arguments, by tool. */
const WRONG: [tool: string, argument: RegExp, all: object[]][] = [
  ["vault_read", /'full'/, ["yes", 1, 0, [], {}].map((full) => ({ full, ...rangesOf(1, 1) }))],
  ["vault_read", /'range\./, [...NO_NUMBERS, 0].flatMap((one) => [rangesOf(one, 3), rangesOf(1, one)])],
  ["vault_read", /'range'/, [true, "1-2", [1, 2], 5].map((range) => ({ range }))],
  ["vault_scan", /'start_line'/, [...NO_NUMBERS, 0].map((start_line) => ({ start_line }))],
  ["vault_scan", /'cursor\./, NO_NUMBERS.map((char_offset) => ({ cursor: { char_offset } }))],
  ["vault_scan", /'cursor\./, [...NO_NUMBERS, 0].map((start_line) => ({ cursor: { start_line } }))],
  ["vault_scan", /'cursor'/, [{ cursor: 5 }, { cursor: "12000" }]],
  ["vault_scan", /'(?:offset|max_chars)'/, [{ cursor: { offset: 1 } }, { max_chars: 10 }]],
  ["vault_replace", /'max_replacements'/, NO_NUMBERS.map((max) => ({ ...TEXTS, max_replacements: max }))],
  ["vault_replace", /'find'/, [undefined, "", 5, "\udc00"].map((find) => ({ ...TEXTS, find }))],
  [
    "vault_replace",
    /'replace'/,
    [undefined, null, false, "\ud83d"].map((one) => ({ ...TEXTS, replace: one })),
  ],
  [
    "vault_create",
    /'content'/,
    [undefined, null, "", 5, true, ["x"], "\ud83d"].map((content) => ({ content })),
  ],
];

test("a value of another kind is refused, naming its argument", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  for (const [tool, argument, all] of WRONG)
    for (const args of all) {
      const { code, message } = await fail(tool, { path: "p/a.md", ...args });
      assert.equal(code, "invalid_parameter", `${tool} ${JSON.stringify(args)}`);
      assert.match(message, argument);
    }
});

test("a read-only server offers the readers, and answers READ_ONLY for the two writers", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "x" });
  const { client, call, fail } = await connect(t, root, { readOnly: true, tools: "vault" });
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ["vault_ls", "vault_read", "vault_scan"]);
  for (const name of ["vault_create", "vault_replace"]) assert.equal((await fail(name)).code, "READ_ONLY");
  assert.equal((await call("vault_scan", { path: "p/a.md" }))["text"], "x");
  assert.deepEqual(readdirSync(root), ["p"]);
});

test("a separate vault works without a workspace, and creates none", async (t) => {
  const vault = makeWorkspace(t, { "log.txt": "one\n", "docs/index.db": "x" });
  const root = join(temporaryFolder(t), "none");
  const { call, fail } = await connect(t, root, { vault, tools: "vault" });
  assert.equal((await call("vault_read", { path: "log.txt", full: true }))["text"], "one\n");
  await call("vault_create", { path: "docs/notes.md", content: "# Notes" });
  await call("vault_replace", { path: "log.txt", find: "one", replace: "two" });
  await call("vault_replace", { path: "docs/index.db", find: "x", replace: "y" });
  assert.equal(readFileSync(join(vault, "log.txt"), "utf8"), "two\n");
  assert.equal((await fail("vault_read", { path: "p/a.md", full: true })).code, "not_found");
  assert.equal(existsSync(root), false);
});

test("a vault inside or around the workspace, or behind a link, recognises the workspace's files", async (t) => {
  const base = makeWorkspace(t, { "notes/p/a.md": "axolotl", "notes/index.db": "x", "other.md": "x" });
  symlinkSync("notes", join(base, "link"));
  const root = join(base, "notes");
  const places = [
    [join(root, "p"), "a.md"],
    [base, "notes/p/a.md"],
    [join(base, "link"), "p/a.md"],
  ] as const;
  const { workspace } = open(t, root);
  const indexed: string[] = [];
  const locked: string[] = [];
  for (const [vaultRoot] of places) {
    const config = { db: join(root, "index.db"), vault: vaultRoot };
    const spied = {
      root,
      locked: <T>(project: string, work: (lock: Lock) => Promise<T>) => {
        locked.push(project);
        return workspace.locked(project, work);
      },
      index: { syncFile: async (path: string) => indexed.push(path) > 0 },
      history: workspace.history,
      clock: workspace.clock,
      noteNews: workspace.noteNews,
    };
    const vault = openVault({ config, workspace: spied });
    const [before, after] = [contentOf(Buffer.from("axolotl")), contentOf(Buffer.from("newt"))];
    const made: string[] = [];
    const write = async () => void made.push(vaultRoot);
    await vault.locked(join(root, "p", "a.md"), (lock) =>
      vault.change({ file: join(root, "p", "a.md"), before, after, write, lock }),
    );
    await vault.change({ file: join(base, "other.md"), before, after, write });
    assert.equal(made.length, 2);
    assert.equal(vault.isIndex(join(root, "index.db")), true);
    assert.equal(vault.isIndex(join(base, "index.db")), false);
  }
  assert.deepEqual(indexed, ["p/a.md", "p/a.md", "p/a.md"]);
  assert.deepEqual(locked, ["p", "p", "p"]);
});

test("the built server has the vault tools over VAULT_ROOT, and none when it is off", async (t) => {
  const vault = makeWorkspace(t, { "log.txt": "one" });
  const names = async (choice: string) => {
    const server = startBuilt(t, ["--root", temporaryFolder(t), "--vault", choice]);
    await handshake(server);
    server.request(1, "tools/list");
    server.request(2, "tools/call", { name: "vault_ls", arguments: {} });
    const { tools } = (await server.reply(1)).result as { tools: { name: string }[] };
    const { result, error } = await server.reply(2);
    const answer = JSON.stringify(result ?? error);
    server.child.stdin.end();
    return { vaultTools: tools.filter(({ name }) => name.startsWith("vault_")).length, answer };
  };
  const [on, off] = await Promise.all([names(vault), names("off")]);
  assert.equal(on.vaultTools, 5);
  assert.match(on.answer, /log\.txt/);
  assert.equal(off.vaultTools, 0);
  assert.match(off.answer, /-32602/);
});
