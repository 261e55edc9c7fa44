import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

interface Listing {
  base_path: string | null;
  items: { name: string; path: string; kind: string }[];
}

const FILES = {
  "p/b.md": "x",
  "p/a.txt": "x",
  "p/Z.md": "x",
  "p/é.md": "x",
  "p/10.md": "x",
  "p/9.md": "x",
  "p/tasks/deep/x.md": "x",
  "p/assets/": "",
  "p/.hidden.md": "x",
  "p/.git/x": "x",
  "p/._b.md": "x",
  "p/.DS_Store": "x",
  "p/Thumbs.db": "x",
  "p/desktop.ini": "x",
  ".system/x.md": "x",
  ".vibe-mcp/locks/": "",
  "index.db": "no index, and not shown",
  "index.db-wal": "x",
  "readme.md": "x",
};

test("the output of vault_ls has every field of the source and nothing more", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/tasks/": "", "p/a.md": "x" }));
  assert.deepEqual(await call("vault_ls", { path: "p" }), {
    base_path: "p",
    items: [
      { name: "tasks", path: "p/tasks", kind: "dir" },
      { name: "a.md", path: "p/a.md", kind: "file" },
    ],
  });
});

test("without a path the root is listed, without the index, locks and dot-names but .system", async (t) => {
  // Not our index: it would be moved away.
  const db = join(temporaryFolder(t), "other.db");
  const { call } = await connect(t, makeWorkspace(t, FILES), { tools: "vault", db });
  const expected = {
    base_path: null,
    items: [
      { name: ".system", path: ".system", kind: "dir" },
      { name: "p", path: "p", kind: "dir" },
      { name: "readme.md", path: "readme.md", kind: "file" },
    ],
  };
  for (const args of [{}, { path: null }, { path: "" }, { path: "." }, { path: "./" }, { path: ".\\" }]) {
    assert.deepEqual(await call("vault_ls", args), expected, JSON.stringify(args));
  }
});

test("one level is listed, folders first, names sorted, without files of operating systems", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES), { tools: "vault" });
  for (const path of ["p", "p/", "./p", "p\\", ".\\p\\."]) {
    const { base_path, items } = await call<Listing>("vault_ls", { path });
    assert.equal(base_path, "p");
    const names = items.map(({ name }) => name);
    assert.deepEqual(names, ["assets", "tasks", "10.md", "9.md", "Z.md", "a.txt", "b.md", "é.md"]);
    assert.deepEqual([...new Set(items.map(({ kind }) => kind))], ["dir", "file"]);
  }
  const { items } = await call<Listing>("vault_ls", { path: "p/tasks" });
  assert.deepEqual(items, [{ name: "deep", path: "p/tasks/deep", kind: "dir" }]);
  assert.deepEqual((await call<Listing>("vault_ls", { path: "p/assets" })).items, []);
});

test("a file or a missing folder is not_found; a wrong type is invalid_path", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  for (const path of ["p/a.md", "none", "p/a.md/x"]) {
    assert.equal((await fail("vault_ls", { path })).code, "not_found", path);
  }
  for (const path of [5, true, ["p"], {}]) {
    assert.equal((await fail("vault_ls", { path })).code, "invalid_path");
  }
  for (const path of [".vibe-mcp", "p/.git", ".systems", ".hidden"]) {
    assert.equal((await fail("vault_ls", { path })).code, "forbidden", path);
  }
});
