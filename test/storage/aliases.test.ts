import assert from "node:assert/strict";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const skip = process.platform === "win32" && "links need a right on Windows";

/** A project in which links give files and folders second names. */
function linkedWorkspace(t: Parameters<typeof makeWorkspace>[0]): string {
  const root = makeWorkspace(t, {
    "p/AGENTS.md": "# Agents\n\nRun walrus first. See [[limits]].\n",
    "p/references/limits.md": "# Limits\n",
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/inbox/today.md": "# Task: Today\n\nStatus: pending\n",
  });
  const links = {
    "CLAUDE.md": "AGENTS.md",
    docs: "references",
    "tasks/current.md": "001-a.md",
    "tasks/002-today.md": "../inbox/today.md",
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, "p", path));
  return root;
}

test("a file with several names in its project is one document", { skip }, async (t) => {
  const { call } = await connect(t, linkedWorkspace(t));
  const { results } = await call<{ results: { path: string }[] }>("search", { query: "walrus" });
  assert.deepEqual(
    results.map(({ path }) => path),
    ["p/AGENTS.md"],
  );
  const { tasks } = await call<{ tasks: { filename: string }[] }>("list_tasks", { project: "p" });
  assert.deepEqual(
    tasks.map(({ filename }) => filename),
    ["001-a.md", "002-today.md"],
    "a link that makes a task of a note stays",
  );
  for (const [alias, path] of [
    ["p/CLAUDE.md", "p/AGENTS.md"],
    ["p/docs/limits.md", "p/references/limits.md"],
    ["p/tasks/current.md", "p/tasks/001-a.md"],
  ])
    assert.equal((await call<{ path: string }>("read_doc", { path: alias })).path, path);
});

test("what is written through a linked folder has the path of its own", { skip }, async (t) => {
  const root = linkedWorkspace(t);
  const { call } = await connect(t, root);
  const made = await call<{ path: string }>("create_doc", { path: "p/docs/new.md", content: "# New\n" });
  assert.equal(made.path, "p/references/new.md");
  assert.ok(existsSync(join(root, "p/references/new.md")));
  const { changed } = await call<{ changed: { list: string[] } }>("move_doc", {
    path: "p/docs/limits.md",
    to_filename: "quota.md",
  });
  assert.deepEqual(changed.list, ["p/references/quota.md", "p/AGENTS.md"]);
});
