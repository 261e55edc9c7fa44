import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

test("the output of vault_create has every field of the source and nothing more", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const content = "né\r\n😀";
  assert.deepEqual(await call("vault_create", { path: ".//p\\scratch/./run.log", content }), {
    written_path: "p/scratch/run.log",
    written_bytes: 9,
  });
  assert.equal(readFileSync(join(root, "p", "scratch", "run.log"), "utf8"), content);
  assert.deepEqual(readdirSync(join(root, "p", "scratch")), ["run.log"]);
});

test("an existing file is a conflict and stays unchanged", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "mine", "p/folder/": "", "p/Café.md": "mine" });
  const { fail } = await connect(t, root);
  for (const path of [
    "p/a.md",
    "p/A.MD",
    "./p/a.md",
    "P/a.md",
    "p/folder",
    "p",
    "p/Cafe\u0301.md",
    "p/a.md/b.md",
  ]) {
    assert.equal((await fail("vault_create", { path, content: "yours" })).code, "conflict", path);
  }
  assert.equal(readFileSync(join(root, "p", "a.md"), "utf8"), "mine");
  assert.deepEqual(readdirSync(root).sort(), ["p"]);
});

test("below .system nothing is created, however it is spelled", async (t) => {
  const root = makeWorkspace(t, { ".system/a.md": "mine" });
  const { fail } = await connect(t, root);
  const paths = [
    ".system/b.md",
    ".System/b.md",
    "./.SYSTEM/b.md",
    ".system\\b.md",
    "p/.system/b.md",
    ".system",
  ];
  for (const path of paths) {
    assert.equal((await fail("vault_create", { path, content: "x" })).code, "forbidden", path);
  }
  assert.deepEqual(readdirSync(join(root, ".system")), ["a.md"]);
});

test("below daily only YYYY-MM-DD.md is created, however daily is spelled", async (t) => {
  const root = makeWorkspace(t, {});
  const { call, fail } = await connect(t, root);
  const wrong = [
    "notes.md",
    "2026-02-30.md",
    "2026-2-3.md",
    "2026-02-03.txt",
    "2026-02-03-a.md",
    "a/2026-02-03.md",
  ];
  for (const name of wrong) {
    for (const folder of ["daily/", "Daily/", "./DAILY/", "daily\\", ".\\daily\\.\\"]) {
      const error = await fail("vault_create", { path: folder + name, content: "x" });
      assert.equal(error.code, "forbidden", folder + name);
      assertTells(error.message, ["daily/YYYY-MM-DD.md"]);
    }
  }
  assert.equal((await fail("vault_create", { path: "daily", content: "x" })).code, "forbidden");
  const created = await call("vault_create", { path: "daily/2024-02-29.md", content: "x" });
  assert.deepEqual(created, { written_path: "daily/2024-02-29.md", written_bytes: 1 });
  const second = await call("vault_create", { path: ".\\DAILY\\2026-02-03.md", content: "x" });
  assert.equal(second["written_path"], "daily/2026-02-03.md");
  await call("vault_create", {
    path: "p/daily/notes.md",
    content: "only the daily of the root has the rule",
  });
});

test("names that are not portable are invalid_path", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { fail } = await connect(t, root);
  const names = ["a:b.md", "con.md", "a ", "a\u0001.md", "a..b/../c", "x".repeat(300)];
  for (const name of names) {
    assert.equal(
      (await fail("vault_create", { path: `p/${name}`, content: "x" })).code,
      "invalid_path",
      name,
    );
  }
  assert.deepEqual(readdirSync(join(root, "p")), []);
});

test("a created document is found by the next search, a created log is not", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, {}));
  await call("vault_create", { path: "p/references/deep/a.md", content: "axolotl" });
  await call("vault_create", { path: "p/scratch/run.log", content: "axolotl" });
  await call("vault_create", { path: "in-the-root.md", content: "axolotl" });
  const { results } = await call<{ results: { path: string }[] }>("search", { query: "axolotl" });
  assert.deepEqual(
    results.map(({ path }) => path),
    ["p/references/deep/a.md", "in-the-root.md"],
  );
});

test("a vault that does not exist yet is created by the first write, and only by it", async (t) => {
  const root = join(makeWorkspace(t, {}), "not", "yet");
  const { call, fail } = await connect(t, root, { tools: "vault" });
  assert.deepEqual(await call("vault_ls"), { base_path: null, items: [] });
  assert.equal((await fail("vault_read", { path: "a.md", full: true })).code, "not_found");
  assert.equal((await fail("vault_create", { path: "../a.md", content: "x" })).code, "invalid_path");
  assert.equal(existsSync(root), false);
  await call("vault_create", { path: "a.md", content: "x" });
  assert.equal(readFileSync(join(root, "a.md"), "utf8"), "x");
});
