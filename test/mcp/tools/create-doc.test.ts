import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { createDocTool } from "../../../src/core/mcp/tools/create-doc.ts";
import { readLog } from "../../fixtures/history-log.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

test("create_doc writes the content byte for byte, and never overwrites", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail } = await connect(t, root);
  const content = "\uFEFF# A\r\n\r\nno newline at the end \u0000 🙂";
  const answer = await call("create_doc", { project: "P", folder: "references", filename: "a", content });
  const { hash, ...rest } = answer as { hash: string };
  assert.match(hash, /^[0-9a-f]{16}$/);
  const path = "p/references/a.md";
  assert.deepEqual(rest, { success: true, path, absolute_path: join(root, path), indexed: true });
  assert.equal(readFileSync(join(root, path), "utf8"), content);
  for (const filename of ["a.md", "A.MD", "a"]) {
    const error = await fail("create_doc", { project: "p", folder: "references", filename, content: "x" });
    assert.equal(error.code, "FILE_EXISTS");
    assert.match(error.message, /update_doc/);
  }
  assert.equal(readFileSync(join(root, path), "utf8"), content);
});

test("create_doc puts frontmatter before the content, or into its own", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const base = { project: "p", folder: "", frontmatter: { tags: ["mcp", "protocol"] } };
  await call("create_doc", { ...base, filename: "one.md", content: "# One\n" });
  assert.equal(readFileSync(join(root, "p/one.md"), "utf8"), "---\ntags: [mcp, protocol]\n---\n# One\n");
  await call("create_doc", { ...base, filename: "two.md", content: "---\nowner: me\n---\n# Two\n" });
  assert.equal(
    readFileSync(join(root, "p/two.md"), "utf8"),
    "---\nowner: me\ntags: [mcp, protocol]\n---\n# Two\n",
  );
});

test("create_doc asks for the folder of a bare filename", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/": "" }));
  const { code, message, details } = await fail("create_doc", { project: "p", filename: "a", content: "x" });
  assert.deepEqual([code, details], ["INVALID_ARGUMENT", { argument: "folder" }]);
  assert.equal(message, "'folder' is missing. It may be '' for a file at the top of the project.");
});

test("a name of 255 bytes can be created, and a longer one is an invalid path", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, { "p/": "" }));
  const name = { project: "p", folder: "scratch", filename: "a".repeat(252) };
  assert.equal((await call("create_doc", { ...name, content: "x" }))["indexed"], true);
  assert.equal((await call("read_doc", name))["content"], "x");
  for (const filename of ["a".repeat(253), "あ".repeat(90)]) {
    const { code, message } = await fail("read_doc", { ...name, filename });
    assert.equal(code, process.platform === "win32" ? "FILE_NOT_FOUND" : "INVALID_PATH");
    assert.match(message, process.platform === "win32" ? /list_projects/ : /255 bytes/);
  }
});

test("create_doc says what has the name if it is not a document", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = makeWorkspace(t, { "p/folder.md/": "" });
  symlinkSync(join(root, "p", "nowhere"), join(root, "p", "link.md"));
  symlinkSync("loop.md", join(root, "p", "loop.md"));
  execFileSync("mkfifo", [join(root, "p", "pipe.md")]);
  const { fail } = await connect(t, root);
  for (const [filename, kind] of [
    ["link", /a broken link/],
    ["loop", /a broken link/],
    ["folder", /a folder/],
    ["pipe", /not a regular file/],
  ] as const) {
    const { code, message } = await fail("create_doc", { project: "p", folder: "", filename, content: "x" });
    assert.equal(code, "FILE_EXISTS");
    assert.match(message, kind);
    assert.doesNotMatch(message, /update_doc/);
  }
});

test("new documents go only to standard folders, existing folders and the project folder", async (t) => {
  const outside = temporaryFolder(t);
  const root = makeWorkspace(t, { "p/notes/x.md": "x", "p/file.md": "x" });
  symlinkSync(outside, join(root, "p", "out"));
  const { call, fail } = await connect(t, root);
  const make = (folder: string, filename: string) => ({ project: "p", folder, filename, content: "x" });
  for (const [folder, filename] of [
    ["notes", "y.md"],
    ["plans", "y.md"],
    ["", "y.md"],
    ["assets", "deep/er/y.md"],
    ["assets/deep", "z.md"],
  ] as const) {
    const { path } = await call<{ path: string }>("create_doc", make(folder, filename));
    assert.ok(existsSync(join(root, path)));
  }
  const refused = [
    ["task", "a.md", "INVALID_FOLDER"],
    ["..", "a.md", "INVALID_FOLDER"],
    [".git", "a.md", "INVALID_FOLDER"],
    ["out", "a.md", "INVALID_FOLDER"],
    ["new/deep", "a.md", "INVALID_FOLDER"],
    ["", "out/a.md", "INVALID_PATH"],
    ["notes", "../../a.md", "INVALID_PATH"],
    ["notes", ".hidden.md", "INVALID_PATH"],
    ["notes", "con.md", "INVALID_PATH"],
    ["notes", "10:30.md", "INVALID_PATH"],
    ["notes", "a\\b.md", "INVALID_PATH"],
    ["notes", "a\u0000b", "INVALID_PATH"],
    ["notes", "", "INVALID_ARGUMENT"],
    ["notes", "/etc/x.md", "INVALID_PATH"],
    ["notes", "trailing. ", "INVALID_PATH"],
    ["notes", "what?.md", "INVALID_PATH"],
    ["notes", "a".repeat(253), "INVALID_PATH"],
    ["", "file.md/x.md", "INVALID_PATH"],
  ] as const;
  for (const [folder, filename, code] of refused) {
    const error = await fail("create_doc", make(folder, filename));
    assert.equal(error.code, code, `${folder} ${filename}`);
    assert.ok(!JSON.stringify(error).includes(root));
  }
  assert.deepEqual(readdirSync(outside), []);
});

type Answer = ToolAnswer<typeof createDocTool>;

test("a task made by hand is created as it is, with a hint at what it lacks", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const create = (filename: string, content: string, folder = "tasks") =>
    call<Answer>("create_doc", { project: "p", folder, filename, content });
  const whole = "# Task: A\n\nStatus: pending\n\n## Objective\n\nDo it.\n";
  const cases: [filename: string, content: string, hint: RegExp][] = [
    ["009-foo.md", "x", /no title .*, no status .*, no '## Objective'\. .*create_task/],
    ["foo.md", whole, /^As a task it has no number at the start of its name\. /],
    ["010-b.md", whole.replace("pending", "someday"), /^As a task it has no status \('Status: pending'\)\. /],
    ["011-c.md", whole, /^$/],
    [
      "012-d.md",
      `---\nstatus: done\n---\n${whole}`,
      /says 'done', its Status line 'pending'.*update_task_status/,
    ],
    ["013-e.md", `${whole}\n## Context\n- Dependencies: 042\n`, /^There is no task 042\. /],
  ];
  for (const [filename, content, hint] of cases) {
    const answer = await create(filename, content);
    assert.match(answer.hint ?? "", hint, filename);
    assert.equal(readFileSync(join(root, answer.path), "utf8"), content);
  }
  assert.match((await create("tasks/014-f.md", "x", "")).hint ?? "", /create_task/);
  assert.equal((await create("x.md", "x", "references")).hint, undefined);
});

test("a status in the frontmatter of a new task must be one of the four, and wins over its text", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail } = await connect(t, root);
  const content = "# Task: A\n\nStatus: pending\n\n## Objective\n\nDo it.\n";
  const task = (status: unknown) => ({
    project: "p",
    folder: "tasks",
    filename: "1-a",
    content,
    frontmatter: { status },
  });
  for (const status of ["on fire", 3, ["done"]])
    assert.equal((await fail("create_doc", task(status))).code, "INVALID_STATUS");
  assert.equal(existsSync(join(root, "p", "tasks")), false);
  const { path, hint } = await call<Answer>("create_doc", task("Hecho"));
  assertTells(hint, ["Status", "'done'"]);
  assert.equal(
    readFileSync(join(root, path), "utf8"),
    `---\nstatus: done\n---\n${content.replace("pending", "done")}`,
  );
  await call("create_doc", { ...task("draft"), folder: "references" });
});

test("the .md that is added to another extension is pointed out", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const create = (filename: string) =>
    call<Answer>("create_doc", { project: "p", folder: "scratch", filename, content: "x" });
  const { path, hint } = await create("foo.txt");
  assert.equal(path, "p/scratch/foo.txt.md");
  assertTells(hint, [".md", ".txt"]);
  for (const filename of ["a", "b.md", "C.MD", "v1.2"])
    assert.equal((await create(filename)).hint, undefined, filename);
});

const OLD = "# ADR 3\n\nStatus: accepted\n\nWe take RabbitMQ.\n";
const DECISIONS = {
  "p/decisions/0003-old queue.md": OLD,
  "q/decisions/0001-a.md": "# ADR 1\n",
  "p/tasks/003-a.md": "# A\n",
};

test("create_doc with supersedes writes both ends as one change, which one undo takes back", async (t) => {
  const root = makeWorkspace(t, DECISIONS);
  const { call } = await connect(t, root);
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const [old, now] = ["p/decisions/0003-old queue.md", "p/decisions/0012-kafka.md"];
  const args = { path: now, content: "# ADR 12\n\nWe take Kafka.\n", supersedes: old };
  const { hint } = await call<{ hint: string }>("create_doc", args);
  assertTells(hint, [old]);
  assert.equal(
    text(now),
    "---\nsupersedes: '[0003-old queue](0003-old%20queue.md)'\n---\n# ADR 12\n\nWe take Kafka.\n",
  );
  assert.equal(text(old), `---\nsuperseded_by: '[0012-kafka](0012-kafka.md)'\n---\n${OLD}`);
  const read = await call<{ outdated: unknown }>("read_doc", { path: old });
  assert.deepEqual(read.outdated, [{ line: 1, says: `superseded by \`${now}\`` }]);
  await call("move_doc", { path: now, to_folder: "references" });
  assert.match(text(old), /\.\.\/references\/0012-kafka\.md/);
  const [, made] = (await readLog(root)).operations.toReversed();
  await call("restore_doc", { change: (await readLog(root)).operations.at(-1)?.id });
  await call("restore_doc", { change: made?.id });
  assert.equal(text(old), OLD);
  assert.equal(existsSync(join(root, now)), false);
});

const REFUSED: [supersedes: string, code: string, told: string][] = [
  ["p/repo:docs/adr/0001-a.md", "READ_ONLY", "repository"],
  ["p/decisions/0012-kafka.md", "FILE_NOT_FOUND", "0012-kafka"],
  ["q/decisions/0001-a.md", "FILE_NOT_FOUND", "own project"],
  ["3", "FILE_NOT_FOUND", "'3'"],
];

for (const [supersedes, code, told] of REFUSED) {
  test(`a new document does not supersede ${supersedes}, and is not written`, async (t) => {
    const root = makeWorkspace(t, DECISIONS);
    const { fail } = await connect(t, root);
    const path = "p/decisions/0012-kafka.md";
    const error = await fail("create_doc", { path, content: "# ADR 12\n", supersedes });
    assert.equal(error.code, code);
    assertTells(error.message, [told]);
    assert.equal(existsSync(join(root, path)), false);
  });
}
