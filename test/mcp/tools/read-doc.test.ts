import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { readDocTool } from "../../../src/core/mcp/tools/read-doc.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, dateFile, makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const TASK =
  "---\ntags: [Mcp, design]\nowner: max\n---\n# Task: Definir\n\nStatus: pending\n\n## Objective\nTexto.\n";
type Answer = ToolAnswer<typeof readDocTool>;

const FILES = {
  "vibeMCP/tasks/004-definir.md": TASK,
  "vibeMCP/status.md":
    "# Status\n\n## Decisions\n\nUse SQLite.\n\n### Why\n\nIt is small.\n\n## Next\n\nMore.\n",
  "vibeMCP/assets/diagrams/flow.md": "flow",
  "vibeMCP/notes/10:30.md": "half past ten",
};

test("read_doc gives the whole file with its metadata and hash", async (t) => {
  const root = makeWorkspace(t, FILES);
  dateFile(root, "vibeMCP/tasks/004-definir.md", "2025-02-09T10:00:00Z");
  const { call } = await connect(t, root);
  const name = { project: "vibeMCP", folder: "tasks", filename: "004-definir.md" };
  assert.deepEqual(await call("read_doc", name), {
    ...name,
    path: "vibeMCP/tasks/004-definir.md",
    metadata: {
      type: "task",
      status: "pending",
      updated: "2025-02-09",
      tags: ["mcp", "design"],
      owner: "max",
    },
    hash: createHash("sha256").update(TASK).digest("hex").slice(0, 16),
    content: TASK,
  });
});

test("section gives one heading's section, subsections included", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, FILES));
  const name = { project: "vibeMCP", folder: "", filename: "status.md" };
  const { content } = await call("read_doc", { ...name, section: "## decisions" });
  assert.equal(content, "## Decisions\n\nUse SQLite.\n\n### Why\n\nIt is small.\n\n");
  const error = await fail("read_doc", { ...name, section: "Desicions" });
  assert.equal(error.code, "INVALID_ARGUMENT");
  assert.match(error.message, /'## Decisions', '### Why', '## Next'/);
  const flow = { project: "vibeMCP", folder: "assets", filename: "diagrams/flow.md" };
  assertTells((await fail("read_doc", { ...flow, section: "Two" })).message, ["flow.md", "Two", "section"]);
});

const TWICE = "# N\n\n## Alpha\n\n### Notes\na\n\n## Beta\n\n### Notes\nb\n";

test("a heading that occurs twice is named by its path or number, also in links, and never guessed", async (t) => {
  const path = "p/references/n.md";
  const { call, fail } = await connect(t, makeWorkspace(t, { [path]: TWICE }));
  for (const args of [
    { path, section: "Notes" },
    { path: `${path}#notes` },
    { path: "[[n#Notes]]", project: "p" },
  ])
    assertTells((await fail("read_doc", args)).message, ["2", "Alpha > Notes", "Beta > Notes"]);
  for (const args of [
    { path, section: "Beta > Notes" },
    { path, section: "Notes (2)" },
    { path: `${path}#Beta#Notes` },
    { project: "p", filename: "n#Beta#Notes" },
    { path: "vibe://projects/p/references/n.md#notes-1" },
    { path: "[[n#Beta#Notes|b]]", project: "p" },
    { path: "[b](../references/n.md#notes-1)", from: path },
  ])
    assert.equal((await call("read_doc", args)).content, "### Notes\nb\n");
  for (const anchor of ["#^block", "#top", "#gone"])
    assert.equal((await call("read_doc", { path: path + anchor })).content, TWICE);
});

test("a document over 40,000 characters comes in parts that join without a gap", async (t) => {
  const text = `${"🙂".repeat(20_001)}${"end of it ".repeat(5_000)}`;
  const { call, fail } = await connect(t, makeWorkspace(t, { "p/references/long.md": `x${text}` }));
  const name = { project: "p", folder: "references", filename: "long.md" };
  let joined = "";
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const part: Answer = await call("read_doc", { ...name, offset });
    assert.ok(part.content.length <= 40_000);
    assert.ok(part.content.isWellFormed());
    assert.equal(part.total_chars, text.length + 1);
    joined += part.content;
    assert.equal(part.truncated, part.next_offset !== undefined);
    offset = part.next_offset;
  }
  assert.equal(joined, `x${text}`);
  assert.equal((await fail("read_doc", { ...name, offset: 999_999 })).code, "INVALID_ARGUMENT");
});

test("an error about a missing name lists what exists", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, FILES));
  const project = await fail("read_doc", { project: "vibe", folder: "tasks", filename: "x.md" });
  assert.deepEqual([project.code, project.details.suggestions], ["PROJECT_NOT_FOUND", ["vibeMCP"]]);
  const folder = await fail("read_doc", { project: "vibeMCP", folder: "task", filename: "x.md" });
  assert.deepEqual([folder.code, folder.details.suggestions?.[0]], ["INVALID_FOLDER", "tasks"]);
  const file = await fail("read_doc", { project: "vibeMCP", folder: "tasks", filename: "definir" });
  assert.deepEqual([file.code, file.details.suggestions], ["FILE_NOT_FOUND", ["004-definir.md"]]);
  assertTells(file.message, ["tasks/definir", "vibeMCP"]);
});

const NAMED = {
  "pay/tasks/003-add-login.md": "login",
  "pay/tasks/archive/001-old.md": "old",
  "pay/references/notes.md": "notes",
  "pay/status.md": "status",
  "pay/references/status.md": "another status",
  "ops/tasks/003-move.md": "move",
  "ops/tasks/004-one.md": "one",
  "ops/tasks/004-two.md": "two",
  "ops/references/a.md": "a",
  "ops/scratch/a.md": "another a",
  "ops/ops/plans.md": "nested",
  "ops/assets/diagrams/flow.md": "flow",
  "ops/notes/cafe\u0301.md": "coffee",
};

const READ: [args: Record<string, unknown>, content: string][] = [
  [{ path: "pay/tasks/003-add-login.md" }, "login"],
  [{ path: "/pay/tasks/003-add-login" }, "login"],
  [{ path: "./PAY/tasks/3" }, "login"],
  [{ path: "pay/status.md" }, "status"],
  [{ path: "tasks/003-add-login.md", project: "pay" }, "login"],
  [{ path: "pay/tasks/003-add-login.md", project: "pay" }, "login"],
  [{ path: "ops/plans.md", project: "ops" }, "nested"],
  [{ path: "pay/tasks/003-add-login.md", project: "", folder: "", filename: "" }, "login"],
  [{ path: "pay/tasks/003-add-login.md", folder: "tasks", filename: "003-add-login" }, "login"],
  [{ path: "", project: "pay", folder: "tasks", filename: "003-add-login" }, "login"],
  [{ project: "pay", filename: "003" }, "login"],
  [{ project: "pay", filename: "#3" }, "login"],
  [{ project: "pay", filename: 3 }, "login"],
  [{ project: "pay", folder: "tasks", filename: "3" }, "login"],
  [{ project: "pay", folder: "tasks", filename: "003-add-login" }, "login"],
  [{ project: "pay", filename: "003-add-login" }, "login"],
  [{ project: "pay", filename: "tasks/003-add-login.md" }, "login"],
  [{ project: "pay", filename: "pay/tasks/003-add-login.md" }, "login"],
  [{ project: "pay", folder: "tasks", filename: "tasks/003-add-login.md" }, "login"],
  [{ project: "pay", folder: "", filename: "tasks/003-add-login.md" }, "login"],
  [{ project: "pay", folder: "tasks", filename: "archive/001-old.md" }, "old"],
  [{ project: "pay", filename: "1" }, "old"],
  [{ project: "pay", filename: "notes" }, "notes"],
  [{ project: "pay", filename: "status.md" }, "status"],
  [{ project: "pay", folder: "references", filename: "status.md" }, "another status"],
  [{ project: "pay", folder: "", filename: "status" }, "status"],
  [{ project: "OPS", folder: "assets", filename: "diagrams/flow.md" }, "flow"],
  [{ project: "ops", folder: "notes", filename: "caf\u00e9" }, "coffee"],
];

test("read_doc finds a document by every form of its name", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, NAMED));
  for (const [args, content] of READ)
    assert.equal((await call<Answer>("read_doc", args)).content, content, JSON.stringify(args));
});

const REFUSED: [args: Record<string, unknown>, code: string, message: RegExp][] = [
  [{}, "INVALID_ARGUMENT", /^Which document\? Give its 'path', .* or 'project' and 'filename'\.$/],
  [{ filename: "003" }, "PROJECT_NOT_FOUND", /Name one in 'project': /],
  [{ project: "pay", folder: "tasks" }, "INVALID_ARGUMENT", /or 'project' and 'filename'/],
  [
    { path: "tasks/003-add-login.md" },
    "PROJECT_NOT_FOUND",
    /Project 'tasks' does not exist.* ops, pay\. A path begins .*'project'/,
  ],
  [{ path: "/home/me/pay/status.md" }, "PROJECT_NOT_FOUND", /Project 'home' does not exist/],
  [
    { path: "pay" },
    "INVALID_ARGUMENT",
    /'path' must end with a document\. Call list_projects with this project/,
  ],
  [{ path: "pay/tasks/" }, "INVALID_ARGUMENT", /'path' must end with a document/],
  [
    { path: "pay/tasks/009-x.md" },
    "FILE_NOT_FOUND",
    /'tasks\/009-x\.md' not found in project 'pay'\. Call list_projects/,
  ],
  [{ path: "pay/tasks/9" }, "FILE_NOT_FOUND", /^Task '9' not found in project 'pay'\. Call list_tasks/],
  [{ path: "pay/task/9.md" }, "INVALID_FOLDER", /Its folders: references, tasks/],
  [
    { path: "ops/tasks/003-move.md", project: "pay" },
    "INVALID_ARGUMENT",
    /but 'project' is 'pay'\. Give 'path' alone/,
  ],
  [{ path: "pay/status.md", folder: "tasks" }, "INVALID_ARGUMENT", /Give 'path' alone/],
  [{ path: "pay/status.md", filename: "x.md" }, "INVALID_ARGUMENT", /Give 'path' alone/],
  [{ path: "pay/../ops/tasks/003-move.md" }, "INVALID_PATH", /list_projects/],
  [{ path: "x", project: "pya" }, "PROJECT_NOT_FOUND", /Known projects: ops, pay/],
  [
    { project: "ops", filename: "a" },
    "INVALID_ARGUMENT",
    /^'a' may be ops\/references\/a\.md, ops\/scratch\/a\.md\. Give one of these/,
  ],
  [
    { project: "ops", filename: "4" },
    "INVALID_ARGUMENT",
    /^'4' may be ops\/tasks\/004-one\.md, ops\/tasks\/004-two\.md\. Give one/,
  ],
  [
    { project: "pay", filename: "nothing" },
    "FILE_NOT_FOUND",
    /^File 'nothing' not found in project 'pay'\. Call list_projects/,
  ],
  [{ path: 3 }, "INVALID_ARGUMENT", /'path' must be a string/],
];

test("read_doc refuses a name of nothing or of several, and says what would work", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, NAMED));
  for (const [args, code, message] of REFUSED) {
    const error = await fail("read_doc", args);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
  }
});

test("a path that means two documents is refused, naming both", async (t) => {
  const files = { "ops/plans.md": "one", "ops/ops/plans.md": "two" };
  const { call, fail } = await connect(t, makeWorkspace(t, files));
  const error = await fail("read_doc", { project: "ops", path: "ops/plans.md" });
  assert.deepEqual(error.details.suggestions, ["ops/plans.md", "ops/ops/plans.md"]);
  for (const [path, content] of Object.entries(files))
    assert.equal((await call<Answer>("read_doc", { path })).content, content);
});

test("nothing outside the workspace is read, whatever the name", async (t) => {
  const outside = temporaryFolder(t);
  const root = makeWorkspace(t, FILES);
  writeFiles(outside, { "secret.md": "secret", "vibe-secret/x.md": "secret" });
  writeFiles(root, {
    "vibeMCP/.hidden/x.md": "secret",
    "vibeMCP/.hidden.md": "secret",
    ".git/x.md": "secret",
  });
  symlinkSync(outside, join(root, "vibeMCP", "out"));
  symlinkSync(join(outside, "secret.md"), join(root, "vibeMCP", "link.md"));
  symlinkSync(join(root, ".git"), join(root, "vibeMCP", "git"));
  const { fail } = await connect(t, root);
  const names = [
    ["vibeMCP", "..", "secret.md"],
    ["vibeMCP", "tasks/../..", "secret.md"],
    ["vibeMCP", "tasks", "../../../secret.md"],
    ["..", "vibe-secret", "x.md"],
    [".git", "", "x.md"],
    ["vibeMCP", ".hidden", "x.md"],
    ["vibeMCP", "", ".hidden.md"],
    ["vibeMCP", "out", "secret.md"],
    ["vibeMCP", "git", "x.md"],
    ["vibeMCP", "", "link.md"],
    ["vibeMCP", "", join(outside, "secret.md")],
    ["vibeMCP", "", "a\0b.md"],
    ["vibeMCP", "", ""],
    ["vibeMCP", "/", "etc"],
    ["", "", "secret.md"],
  ] as const;
  const paths = [
    "vibeMCP/out/secret.md",
    "vibeMCP/link.md",
    "vibeMCP/git/x.md",
    "vibeMCP/.hidden/x.md",
    ".git/x.md",
  ];
  for (const path of [...paths, "../secret.md", "vibeMCP/../../secret.md", join(outside, "secret.md")]) {
    const { code } = await fail("read_doc", { path });
    assert.match(code, /^(?:INVALID_PATH|PROJECT_NOT_FOUND|FILE_NOT_FOUND)$/, path);
  }
  for (const [project, folder, filename] of names) {
    const error = await fail("read_doc", { project, folder, filename });
    assert.match(
      error.code,
      /^(?:INVALID_PATH|INVALID_FOLDER|INVALID_ARGUMENT|PROJECT_NOT_FOUND|FILE_NOT_FOUND)$/,
    );
    assert.ok(!JSON.stringify(error).includes(root), "no absolute path reaches a client");
  }
});

test("an error shortens a long name", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const filename = `tasks/${"long/".repeat(80)}x.md`;
  const { code, message } = await fail("read_doc", { project: "p", folder: "", filename });
  assert.equal(code, "FILE_NOT_FOUND");
  assertTells(message, [`'${filename.slice(0, 299)}…' not found`, "'p'"]);
});

const LINKED = {
  "p/status.md": `# Status

Now: [Login](tasks/001-Login.md#steps), [[Café plan|the plan]], ![[diagram]], [spaces](<references/with spaces.md>).
[encoded](references/with%20spaces.md#Nothing) [[001-login#Stéps]] [[twin]] [[nothing]] [[#Nowhere]] [[nothing]]

\`[[in code]]\` <!-- [[in a comment]] --> [site](https://example.org/x.md) ![image](assets/x.png) [self](#status)

    [[in indented code]]

[def]: ../q/notes.md "Notes"
`,
  "p/tasks/001-Login.md":
    "# Task: Login\r\n\r\nStatus: pending\r\n\r\n## Context\r\n- Dependencies: 002, 9, the review\r\n\r\n## Steps\r\n## Stéps\r\n",
  "p/tasks/002-renamed.md":
    "\uFEFF# Task: Setup\n\n## Context\n- Dependencies:\n  - [[001-login]]\n\n[Setup](#task-setup) [[002-renamed]]\n",
  "p/plans/cafe\u0301 plan.md": "[up](../status.md) [[設計]]\n\n```md\n[[status]] [[nothing]]\n```\n",
  "p/references/with spaces.md": "# Spaces\n",
  "p/references/設計.md": "[back](../status.md)\n",
  "p/references/twin.md": "# Twin\n",
  "p/reports/twin.md": "# Twin\n",
  "p/assets/diagram.md": "# Diagram\n",
  "q/notes.md": "[there](../p/status.md) [[with spaces]] [moved](../p/references/diagram.md)\n",
};

test("read_doc tells which documents link to one, and which of its own links are broken", async (t) => {
  const root = makeWorkspace(t, LINKED);
  const { call } = await connect(t, root);
  const links = async (project: string, folder: string, filename: string) => {
    const { backlinks, broken_links } = await call<Answer>("read_doc", { project, folder, filename });
    return { from: backlinks?.paths, total: backlinks?.total, broken: broken_links };
  };
  assert.deepEqual(await links("p", "", "status.md"), {
    from: ["p/plans/cafe\u0301 plan.md", "p/references/設計.md", "q/notes.md"],
    total: 3,
    broken: [
      { link: "[encoded](references/with%20spaces.md#Nothing)", line: 4, reason: "heading" },
      {
        link: "[[twin]]",
        line: 4,
        reason: "ambiguous",
        candidates: ["p/references/twin.md", "p/reports/twin.md"],
      },
      { link: "[[nothing]]", line: 4, reason: "missing" },
      { link: "[[#Nowhere]]", line: 4, reason: "heading" },
    ],
  });
  assert.deepEqual(await links("p", "tasks", "001-Login.md"), {
    from: ["p/status.md", "p/tasks/002-renamed.md"],
    total: 2,
    broken: [{ link: "9", line: 6, reason: "missing" }],
  });
  const task = { from: ["p/tasks/001-Login.md"], total: 1, broken: undefined };
  assert.deepEqual(await links("p", "tasks", "002-renamed.md"), task);
  const alone = { from: undefined, total: undefined, broken: undefined };
  assert.deepEqual(await links("p", "reports", "twin.md"), alone);
  const diagram = { from: ["p/status.md"], total: 1, broken: undefined };
  assert.deepEqual(await links("p", "assets", "diagram.md"), diagram);
  assert.deepEqual((await links("q", "", "notes.md")).broken, [
    {
      link: "[moved](../p/references/diagram.md)",
      line: 1,
      reason: "missing",
      candidates: ["p/assets/diagram.md"],
    },
  ]);
});

test("links follow the files: a new document fixes one, or makes it ambiguous", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "[[b]]\n", "p/tasks/b.md": "# B\n" });
  const { call } = await connect(t, root);
  const links = async (folder: string, filename: string) => {
    const { backlinks, broken_links } = await call<Answer>("read_doc", { project: "p", folder, filename });
    return [backlinks?.paths ?? [], broken_links?.map(({ reason }) => reason) ?? []];
  };
  assert.deepEqual(
    [await links("", "a"), await links("tasks", "b")],
    [
      [[], []],
      [["p/a.md"], []],
    ],
  );
  await call("create_doc", { project: "p", folder: "reports", filename: "b.md", content: "[[a]]" });
  assert.deepEqual(
    [await links("", "a"), await links("tasks", "b")],
    [
      [["p/reports/b.md"], ["ambiguous"]],
      [[], []],
    ],
  );
  rmSync(join(root, "p/tasks/b.md"));
  assert.deepEqual(
    [await links("", "a"), await links("reports", "b")],
    [
      [["p/reports/b.md"], []],
      [["p/a.md"], []],
    ],
  );
  writeFiles(root, { "p/a.md": "nothing\n" });
  assert.deepEqual(await links("reports", "b"), [[], []]);
});

test("ten backlinks and ten broken links are named, with the first part only", async (t) => {
  const sources = Array.from({ length: 12 }, (_, n) => [`p/references/${n + 10}.md`, "[[hub]]"]);
  const broken = Array.from({ length: 12 }, (_, n) => `[[no${n}]]\n`).join("");
  const root = makeWorkspace(t, {
    ...Object.fromEntries(sources),
    "p/hub.md": `${broken}${"x".repeat(120_000)}`,
  });
  const { call } = await connect(t, root);
  const name = { project: "p", folder: "", filename: "hub.md" };
  const part = await call<Answer>("read_doc", name);
  assert.deepEqual([part.backlinks?.total, part.backlinks?.paths.length], [12, 10]);
  assert.deepEqual(
    part.broken_links?.map(({ line }) => line),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  const next = await call<Answer>("read_doc", { ...name, offset: part.next_offset });
  assert.deepEqual([next.backlinks, next.broken_links], [undefined, undefined]);
});

test("a link is read as the document that it leads to from another one", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/002-b.md": "# Task: B\n\n## Context\n\n- Dependencies: [[1]]\n\n## Notes\n\n[[1]]\n",
    "p/archive/tasks/001-a.md": "# Task: A\n",
    "p/notes/flow.md": "# Small\n",
    "p/diagrams/Flow.md": "# Great\n",
    "q/notes/twin.md": "# Twin\n",
    "r/notes/twin.md": "# Twin\n",
  });
  const { call, fail } = await connect(t, root);
  const from = "p/tasks/002-b.md";
  for (const [link, path] of [
    ["[[001-a]]", "p/archive/tasks/001-a.md"],
    ["[[1]]", "p/archive/tasks/001-a.md"],
    ["[[flow#One|the flow]]", "p/notes/flow.md"],
    ["![[Flow]]", "p/diagrams/Flow.md"],
    ["[text](../notes/flow.md#one)", "p/notes/flow.md"],
    ["[](<../diagrams/Flow.md>)", "p/diagrams/Flow.md"],
  ])
    assert.equal((await call("read_doc", { path: link, from }))["path"], path, link);
  assert.equal((await call("read_doc", { path: "[[flow]]", project: "p" }))["path"], "p/notes/flow.md");
  assert.equal((await call("read_doc", { path: "[[001-a]]" }))["path"], "p/archive/tasks/001-a.md");
  const several = await fail("read_doc", { path: "[[twin]]", from });
  assert.equal(several.code, "INVALID_ARGUMENT");
  assert.deepEqual(several.details.suggestions, ["q/notes/twin.md", "r/notes/twin.md"]);
  const none = await fail("read_doc", { path: "[[references/flow]]", from });
  assert.equal(none.code, "FILE_NOT_FOUND");
  assert.deepEqual(none.details.suggestions?.sort(), ["p/diagrams/Flow.md", "p/notes/flow.md"]);
  for (const path of ["[[../../../etc/passwd]]", "[a](https://example.org/a.md)", "[[]]"])
    assert.equal((await fail("read_doc", { path, from })).code, "FILE_NOT_FOUND", path);
});

test("an alias is a name for links: backlinks, reports, moves and deletions know it", async (t) => {
  const root = makeWorkspace(t, {
    "p/references/x-17.md": "---\naliases: [walrus memo, Both]\n---\n# X\n",
    "p/references/y.md": "---\nalias: both\n---\n# Y\n",
    "p/references/l.md": "[[Walrus Memo|w]] [[both]] [[nothing]]\n",
  });
  const { call } = await connect(t, root);
  const read = (path: string) => call<Answer>("read_doc", { path });
  const broken = async () =>
    (await read("p/references/l.md")).broken_links?.map(({ link, reason }) => `${link} ${reason}`);
  assert.deepEqual((await read("p/references/x-17.md")).backlinks?.paths, ["p/references/l.md"]);
  assert.deepEqual(await broken(), ["[[both]] ambiguous", "[[nothing]] missing"]);
  const { path } = await call<Answer>("read_doc", { path: "[[walrus memo]]", project: "p" });
  assert.equal(path, "p/references/x-17.md");
  await call("move_doc", { path: "p/references/x-17.md", to_filename: "x-18.md" });
  assert.equal(
    readFileSync(join(root, "p/references/l.md"), "utf8"),
    "[[Walrus Memo|w]] [[both]] [[nothing]]\n",
  );
  assert.deepEqual((await read("p/references/x-18.md")).backlinks?.paths, ["p/references/l.md"]);
  const { hash } = await read("p/references/x-18.md");
  const deleted = await call<{ broken_links?: unknown }>("delete_doc", {
    path: "p/references/x-18.md",
    expected_hash: hash,
  });
  assert.match(JSON.stringify(deleted), /Walrus Memo/);
  assert.deepEqual(await broken(), ["[[Walrus Memo|w]] missing", "[[nothing]] missing"]);
});
