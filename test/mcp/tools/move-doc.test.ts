import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { listTasksTool } from "../../../src/core/mcp/tools/list-tasks.ts";
import type { moveDocTool } from "../../../src/core/mcp/tools/move-doc.ts";
import { moveDocuments } from "../../../src/core/workspace/move.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof moveDocTool>;

const FILES = {
  "p/tasks/001-a.md": "# A\n\n## Context\n- Dependencies: 002-b, 2\n\n[[002-b|next]]\n",
  "p/tasks/002-b.md": "# B\r\n\r\nStatus: done\r\n\r\n[a](001-a.md) [up](../status.md)\r\n",
  "p/status.md": "# P\n\n[b](tasks/002-b.md)\n",
  "q/tasks/002-x.md": "[b](../../p/tasks/002-b.md)",
  "q/status.md": "[[002-b]]\n",
};

function setUp(t: Parameters<typeof makeWorkspace>[0]) {
  const root = makeWorkspace(t, FILES);
  return { root, text: (path: string) => readFileSync(join(root, path), "utf8") };
}

test("move_doc renames a task, which keeps its number, and the links to it", async (t) => {
  const { root, text } = setUp(t);
  const { call } = await connect(t, root);
  const { change, ...answer }: Answer = await call("move_doc", {
    path: "p/tasks/002-b.md",
    to_filename: "new name",
  });
  assert.match(change ?? "", /^[0-9a-f]{12}$/);
  assert.deepEqual(answer, {
    success: true,
    previous_path: "p/tasks/002-b.md",
    path: "p/tasks/002-new name.md",
    changed: {
      total: 5,
      list: ["p/tasks/002-new name.md", "p/status.md", "p/tasks/001-a.md", "q/status.md", "q/tasks/002-x.md"],
    },
  });
  assert.equal(existsSync(join(root, "p/tasks/002-b.md")), false);
  assert.equal(text("p/tasks/002-new name.md"), FILES["p/tasks/002-b.md"]);
  assert.equal(
    text("p/tasks/001-a.md"),
    "# A\n\n## Context\n- Dependencies: 002-new name, 2\n\n[[002-new name|next]]\n",
  );
  assert.equal(text("q/tasks/002-x.md"), "[b](../../p/tasks/002-new%20name.md)");
  const { total_matches } = await call<{ total_matches: number }>("search", { query: "done", project: "p" });
  assert.equal(total_matches, 1);
});

test("a dry run lists the edits and changes nothing", async (t) => {
  const { root, text } = setUp(t);
  const { call } = await connect(t, root);
  const args = { project: "p", folder: "tasks", filename: 2, to_folder: "archive", dry_run: true };
  const { path, edits, changed }: Answer = await call("move_doc", args);
  assert.equal(path, "p/archive/tasks/002-b.md");
  assert.equal(changed.total, 3);
  assert.deepEqual(edits, {
    total: 4,
    list: [
      { path, line: 5, before: "[a](001-a.md)", after: "[a](../../tasks/001-a.md)" },
      { path, line: 5, before: "[up](../status.md)", after: "[up](../../status.md)" },
      { path: "p/status.md", line: 3, before: "[b](tasks/002-b.md)", after: "[b](archive/tasks/002-b.md)" },
      {
        path: "q/tasks/002-x.md",
        line: 1,
        before: "[b](../../p/tasks/002-b.md)",
        after: "[b](../../p/archive/tasks/002-b.md)",
      },
    ],
  });
  for (const [file, content] of Object.entries(FILES)) assert.equal(text(file), content);
});

test("what goes into the archive comes back with the same bytes", async (t) => {
  const { root, text } = setUp(t);
  const { call } = await connect(t, root);
  await call("move_doc", { path: "p/tasks/002-b.md", to_folder: "archive" });
  const { path }: Answer = await call("move_doc", { path: "p/archive/tasks/002-b.md", to_folder: "tasks" });
  assert.equal(path, "p/tasks/002-b.md");
  for (const [file, content] of Object.entries(FILES)) assert.equal(text(file), content);
});

test("the answer says when a task that is archived is not done, and which wait for it", async (t) => {
  const { root } = setUp(t);
  const { call } = await connect(t, root);
  const archive = (filename: string, to_folder = "archive") =>
    call<Answer>("move_doc", { project: "p", folder: "tasks", filename, to_folder });
  await call("update_task_status", { project: "p", task: "002", status: "review" });
  const args = { path: "p/tasks/002-b.md", to_folder: "archive" };
  const doubts = "Not done: 002-b.md. Waiting for it: 001-a.md.";
  assert.equal((await call<Answer>("move_doc", { ...args, dry_run: true })).hint, doubts);
  assert.equal((await archive("002-b.md")).hint, doubts);
  assert.equal((await archive("001-a.md")).hint, "Not done: 001-a.md.");
  const back = { path: "p/archive/tasks/001-a.md", to_folder: "tasks" };
  assert.equal((await call<Answer>("move_doc", back)).hint, undefined);
});

test("files with other bytes move, and the answer names links that could not be changed", async (t) => {
  const { root } = setUp(t);
  const latin = Buffer.from("caf\xe9 [b](002-b.md)\n", "latin1");
  writeFileSync(join(root, "p/tasks/003-l.md"), latin);
  const { call } = await connect(t, root);
  const { hint }: Answer = await call("move_doc", { path: "p/tasks/002-b.md", to_folder: "archive" });
  assertTells(hint, ["1", "p/tasks/003-l.md", "UTF-8"]);
  await call("move_doc", { path: "p/tasks/003-l.md", to_folder: "scratch", to_filename: "latin" });
  assert.deepEqual(readFileSync(join(root, "p/scratch/latin.md")), latin);
});

test("links follow wherever they stand, which no rule of a change hinders, and nothing else changes with them", async (t) => {
  const held = (owner: string) =>
    `---\nowner: ${owner}\nclaimed_until: 2999-01-01\n---\n# Task: A\n\nStatus: in-progress\n\n[[old]]\n`;
  const texts = {
    "p/tasks/001-mine.md": held("test"),
    "p/tasks/002-theirs.md": held("ana"),
    "p/references/conflict.md": "# C\n\n<<<<<<< a\n[[old]]\n=======\n[[old]] too\n>>>>>>> b\n",
    "p/references/one-line.md": "# CR\r\r[[old]]\r",
  };
  const root = makeWorkspace(t, { "p/references/old.md": "# Old\n", ...texts });
  const { call } = await connect(t, root);
  const { hint } = await call<Answer>("move_doc", { path: "p/references/old.md", to_filename: "new.md" });
  assert.equal(hint, undefined);
  for (const [path, text] of Object.entries(texts))
    assert.equal(readFileSync(join(root, path), "utf8"), text.replaceAll("[[old]]", "[[new]]"));
});

test("a rename may change only the letter case", async (t) => {
  const { root, text } = setUp(t);
  const { call } = await connect(t, root);
  await call("move_doc", { path: "p/tasks/002-b.md", to_filename: "002-B.md" });
  assert.equal(existsSync(join(root, "p/tasks/002-B.md")), true);
  assert.equal(text("p/status.md"), "# P\n\n[b](tasks/002-b.md)\n", "it still leads there");
});

test("move_doc says why it cannot move a document, and changes nothing", async (t) => {
  const { root, text } = setUp(t);
  const { fail } = await connect(t, root);
  const path = "p/tasks/002-b.md";
  const cases: [args: object, code: string, message: RegExp][] = [
    [{ path }, "INVALID_ARGUMENT", /has this place already\. Give another folder/],
    [{ path, to_folder: "nowhere" }, "INVALID_FOLDER", /'nowhere' does not exist in project 'p'/],
    [{ path, to_project: "x" }, "PROJECT_NOT_FOUND", /'x'/],
    [{ path, to_filename: "../x" }, "INVALID_PATH", /contains '\.\.'/],
    [{ path, to_filename: "" }, "INVALID_ARGUMENT", /has this place already/],
    [{ path, to_filename: "a:b.md" }, "INVALID_PATH", /contains ':'/],
    [{ path, to_folder: "/", to_filename: "STATUS" }, "FILE_EXISTS", /as 'status\.md', which some disks/],
    [{ path, to_folder: "/", to_filename: "status" }, "FILE_EXISTS", /already exists/],
    [
      { path, to_filename: "001-b.md" },
      "FILE_EXISTS",
      /Number 1 is taken by 'p\/tasks\/001-a\.md'.* '003-b\.md'/,
    ],
    [{ path, to_project: "q" }, "FILE_EXISTS", /Number 2 is taken by 'q\/tasks\/002-x\.md'.* '003-b\.md'/],
    [{ path, to_folder: "archive", expected_hash: "0".repeat(16) }, "CONFLICT", /changed since you read it/],
    [{ path, to_folder: "archive", expected_hash: "x" }, "INVALID_ARGUMENT", /hexadecimal/],
    [{ path: "p/tasks/no.md", to_folder: "archive" }, "FILE_NOT_FOUND", /not found/],
    [{ to_folder: "archive" }, "INVALID_ARGUMENT", /Which document/],
    [{ path, to: "x.md" }, "INVALID_ARGUMENT", /'to'/],
  ];
  for (const dry_run of [true, false])
    for (const [args, code, message] of cases) {
      const error = await fail("move_doc", { ...args, dry_run });
      assert.equal(error.code, code, JSON.stringify(args));
      assert.match(error.message, message);
    }
  for (const [file, content] of Object.entries(FILES)) assert.equal(text(file), content);
});

test("a task that moves to another project gets the number that its new name says", async (t) => {
  const { root, text } = setUp(t);
  const { call } = await connect(t, root);
  await call("move_doc", { path: "p/tasks/002-b.md", to_project: "q", to_filename: "003-b.md" });
  assert.match(text("p/tasks/001-a.md"), /Dependencies: \[\[q\/tasks\/003-b\]\], \[\[q\/tasks\/003-b\]\]/);
  assert.match(text("q/tasks/003-b.md"), /\[a\]\(\.\.\/\.\.\/p\/tasks\/001-a\.md\)/);
  assert.equal(text("q/status.md"), "[[003-b]]\n");
});

type Tasks = ToolAnswer<typeof listTasksTool>;

test("a task waits for one that moved to another project, not for that number in its own", async (t) => {
  const dependencies = "002, [[002-b]], [b](002-b.md)";
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": `# Task: A\n\nStatus: pending\n\n## Context\n- Dependencies: ${dependencies}\n`,
    "p/tasks/002-b.md": "# Task: B\n\nStatus: pending\n",
    "p/tasks/003-c.md": "# Task: C\n\nStatus: done\n",
    "q/tasks/002-x.md": "# Task: X\n\nStatus: done\n",
  });
  const { call } = await connect(t, root);
  await call("move_doc", { path: "p/tasks/002-b.md", to_project: "q", to_filename: "003-b" });
  const listed = async () => {
    const { tasks } = await call<Tasks>("list_tasks", { project: "p", status: "pending" });
    return tasks.find(({ path }) => path === "p/tasks/001-a.md");
  };
  const waiting = await listed();
  assert.deepEqual(waiting?.open_dependencies, ["q/tasks/003-b"]);
  assert.deepEqual(waiting?.missing_dependencies, ["q/tasks/003-b"]);
  await call("move_doc", { path: "q/tasks/003-b.md", to_project: "p", to_filename: "002-b" });
  const again = await listed();
  assert.deepEqual([again?.open_dependencies, again?.missing_dependencies], [["002-b"], undefined]);
});

test("a link on the disk is not moved, and a file with two names is changed once", {
  skip: ON_WINDOWS,
}, async (t) => {
  const { root, text } = setUp(t);
  // By its folder it is a task, which the file itself is not.
  symlinkSync(join(root, "p/status.md"), join(root, "p/tasks/009-link.md"));
  const { call, fail } = await connect(t, root);
  const { code, message } = await fail("move_doc", { path: "p/tasks/009-link.md", to_filename: "x" });
  assert.equal(code, "INVALID_PATH");
  assertTells(message, ["p/status.md"]);
  await call("move_doc", { path: "p/tasks/002-b.md", to_filename: "c" });
  assert.equal(text("p/tasks/009-link.md"), "# P\n\n[b](tasks/002-c.md)\n");
});

test("documents may take each other's places", async (t) => {
  const { root, text } = setUp(t);
  const { workspace } = await connect(t, root);
  const [from, to] = ["p/tasks/001-a.md", "p/tasks/002-b.md"];
  await moveDocuments(workspace, [
    { from, to },
    { from: to, to: from },
  ]);
  assert.equal(text(to), "# A\n\n## Context\n- Dependencies: 001-a, 1\n\n[[001-a|next]]\n");
  assert.equal(text("p/status.md"), "# P\n\n[b](tasks/001-a.md)\n");
});

test("after a move by another program, only the links that it broke are rewritten", async (t) => {
  const { root, text } = setUp(t);
  const { workspace } = await connect(t, root);
  const [from, to] = ["p/tasks/002-b.md", "p/references/b.md"];
  mkdirSync(join(root, "p/references"));
  renameSync(join(root, from), join(root, to));
  const { changed } = await moveDocuments(workspace, [{ from, to }], { isRepair: true });
  assert.deepEqual(
    changed.sort(),
    [to, "p/status.md", "p/tasks/001-a.md", "q/status.md", "q/tasks/002-x.md"].sort(),
  );
  assert.equal(text(to), "# B\r\n\r\nStatus: done\r\n\r\n[a](../tasks/001-a.md) [up](../status.md)\r\n");
  assert.equal(text("p/status.md"), "# P\n\n[b](references/b.md)\n");
});

test("without history a move works as well", async (t) => {
  const { root, text } = setUp(t);
  const { call } = await connect(t, root, { history: { on: false, days: 90, bytes: 1e9 } });
  await call("move_doc", { path: "p/tasks/002-b.md", to_folder: "archive" });
  assert.equal(text("p/status.md"), "# P\n\n[b](archive/tasks/002-b.md)\n");
});
