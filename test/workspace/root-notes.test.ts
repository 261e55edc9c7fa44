import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const VAULT = {
  "Ubuntu Server.md": "# Ubuntu\n\nwalrus, see [[Other]]\n",
  "Other.md": "# Other\n\n[back](Ubuntu%20Server.md)\n",
  "AGENTS.md": "# Of the root\n",
  "Daily/day.md": "# Day\n\n[[Ubuntu Server]] [up](../Other.md)\n",
  "Daily/AGENTS.md": "# Of the project\n",
};

test("notes in the root of a workspace are found, listed and read as the project `.`", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, VAULT));
  const { results } = await call<{ results: { project: string; path: string }[] }>("search", {
    query: "walrus",
  });
  assert.deepEqual(
    results.map(({ project, path }) => [project, path]),
    [[".", "Ubuntu Server.md"]],
  );
  const { projects } = await call<{ projects: { name: string }[] }>("list_projects", {});
  assert.deepEqual(
    projects.map(({ name }) => name),
    [".", "Daily"],
  );
  const { folders } = await call<{ folders: Record<string, { filename: string }[]> }>("list_projects", {
    project: ".",
  });
  assert.deepEqual(
    folders[""]?.map(({ filename }) => filename),
    ["AGENTS.md", "Other.md", "Ubuntu Server.md"],
  );
  for (const name of [
    { path: "Ubuntu Server.md" },
    { path: "ubuntu server" },
    { path: "vibe://projects/Ubuntu%20Server.md" },
    { project: ".", filename: "Ubuntu Server.md" },
  ]) {
    const { path, backlinks } = await call<{ path: string; backlinks: object }>("read_doc", name);
    assert.deepEqual(
      [path, backlinks],
      ["Ubuntu Server.md", { total: 2, paths: ["Daily/day.md", "Other.md"] }],
    );
  }
});

test("a briefing of notes in the root opens with what they say", async (t) => {
  const { call } = await connect(
    t,
    makeWorkspace(t, { "README.md": "# Vault\n\nAll that I know of hats.\n", "Hats.md": "x\n" }),
  );
  const { text } = await call<{ text: string }>("get_briefing", { project: "." });
  assert.match(text, /## About\n\nFrom `README\.md`:\n> All that I know of hats\./);
  assert.match(text, /## Documents\n\n- the root: 2\n/);
  assert.match(text, /## Suggested Actions\n\nNotes in the root have no folders/);
  assert.doesNotMatch(text, /create_task|log_session/);
});

test("notes in the root are made, changed and moved by their path", async (t) => {
  const root = makeWorkspace(t, VAULT);
  const { call, fail } = await connect(t, root);
  const { path } = await call<{ path: string }>("create_doc", { path: "New.md", content: "# New\n" });
  assert.equal(path, "New.md");
  await call("update_doc", { path: "New.md", content: "kiwi\n", mode: "append" });
  assert.match(readFileSync(join(root, "New.md"), "utf8"), /kiwi/);
  const { changed } = await call<{ changed: { list: string[] } }>("move_doc", {
    path: "Ubuntu Server.md",
    to_project: "Daily",
    to_filename: "Debian.md",
  });
  assert.deepEqual(changed.list.sort(), ["Daily/Debian.md", "Daily/day.md", "Other.md"]);
  assert.match(readFileSync(join(root, "Other.md"), "utf8"), /\(Daily\/Debian\.md\)/);
  for (const [tool, args] of [
    ["create_task", { title: "T", objective: "o" }],
    ["log_session", { content: "x" }],
  ] as const)
    assert.equal((await fail(tool, { project: ".", ...args })).code, "INVALID_FOLDER");
});

test("a note that comes to the root or goes is seen by the next search", async (t) => {
  const root = makeWorkspace(t, { "Daily/day.md": "# Day\n" });
  const { call } = await connect(t, root);
  const find = async () =>
    (await call<{ total_matches: number }>("search", { query: "quokka" })).total_matches;
  assert.equal(await find(), 0);
  writeFileSync(join(root, "Late.md"), "quokka\n");
  assert.equal(await find(), 1);
  rmSync(join(root, "Late.md"));
  assert.equal(await find(), 0);
  assert.equal((await call<{ total: number }>("list_projects", {})).total, 1);
});
