import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

/** A name so many folders down. */
const deep = (folders: number) => `${"d/".repeat(folders)}x.md`;

interface Found {
  results: { path: string }[];
}

test("a document is created where search finds it, or not at all", async (t) => {
  const root = makeWorkspace(t, { "p/notes/": "", "p/plans/": "" });
  const { call, fail } = await serve(t, root);
  const attempts = {
    create_doc: (folders: number) => ({ project: "p", folder: "notes", filename: deep(folders - 2) }),
    create_plan: (folders: number) => ({ project: "p", filename: deep(folders - 2) }),
    vault_create: (folders: number) => ({ path: `p/vault/${deep(folders - 2)}` }),
  };
  for (const [tool, args] of Object.entries(attempts)) {
    const word = `quokka${tool.replace("_", "")}`;
    const { code, message } = await fail(tool, { ...args(65), content: word });
    assert.equal(code, tool === "vault_create" ? "invalid_path" : "INVALID_PATH");
    assert.match(message, /more than 64 folders/);
    assert.equal(existsSync(join(root, "p", "vault")), false, "no folder is left behind");
    await call(tool, { ...args(64), content: word });
    const { results } = await call<Found>("search", { query: word });
    assert.equal(results.length, 1, tool);
    assert.equal(results[0]?.path.split("/").length, 65);
  }
});

test("a vault below the workspace counts its folders from the workspace", async (t) => {
  const root = makeWorkspace(t, {});
  const vault = join(root, "p", ...Array.from({ length: 30 }, () => "v"));
  mkdirSync(vault, { recursive: true });
  const { call, fail } = await serve(t, root, { args: ["--vault", vault] });
  const { code } = await fail("vault_create", { path: deep(34), content: "numbat" });
  assert.equal(code, "invalid_path");
  await call("vault_create", { path: deep(33), content: "numbat" });
  const { results } = await call<Found>("search", { query: "numbat" });
  assert.equal(results.length, 1);
  // Other files are not searched anyway.
  await call("vault_create", { path: deep(34).replace(".md", ".txt"), content: "numbat" });
});
