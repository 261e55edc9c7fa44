import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  describeDocument,
  documentPath,
  documentType,
  locateDocument,
} from "../../src/core/notes/document.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const TASK = { project: "p", folder: "tasks", filename: "004-set_up-the-index.md" };
const NOTE = { project: "p", folder: "references", filename: "mcp-notes.md" };

const LOCATIONS: [path: string, expected: [project: string, folder: string, filename: string]][] = [
  ["p/tasks/001-a.md", ["p", "tasks", "001-a.md"]],
  ["p/status.md", ["p", "", "status.md"]],
  ["p/assets/diagrams/flow.md", ["p", "assets", "diagrams/flow.md"]],
  ["mi proyecto/notas/10:30.MD", ["mi proyecto", "notas", "10:30.MD"]],
];

for (const [path, [project, folder, filename]] of LOCATIONS) {
  test(`the path ${path} names a document, and back`, () => {
    assert.deepEqual(locateDocument(path), { project, folder, filename });
    assert.equal(documentPath({ project, folder, filename }), path);
  });
}

test("a note directly in the root is in the project `.`", () => {
  assert.deepEqual(locateDocument("a b.md"), { project: ".", folder: "", filename: "a b.md" });
  assert.equal(documentPath({ project: ".", folder: "", filename: "a b.md" }), "a b.md");
});

test("a path that is hidden or not Markdown names no document", () => {
  for (const path of [
    ".a.md",
    "",
    "p/a.txt",
    ".p/a.md",
    "p/.a/b.md",
    "p/tasks/.a.md",
    "p//a.md",
    "/p/a.md",
    "p/../a.md",
    "p/a.md/",
  ]) {
    assert.equal(locateDocument(path), null, path);
  }
});

const TYPES: [folder: string, filename: string, type: string | null][] = [
  ["tasks", "a.md", "task"],
  ["sessions", "a.md", "session"],
  ["references", "a.md", "reference"],
  ["", "status.md", "status"],
  ["", "readme.md", null],
  ["notes", "status.md", "note"],
  ["entries", "a.md", "entry"],
  ["classes", "a.md", "class"],
  ["status", "a.md", "status"],
  ["series", "a.md", "series"],
  ["s", "a.md", "s"],
];

for (const [folder, filename, type] of TYPES) {
  test(`the type of '${folder}/${filename}' is ${type}`, () =>
    assert.equal(documentType(folder, filename), type));
}

test("a task is described whole", () => {
  const text =
    "---\ntags: [Backend]\nowner: max\nupdated: 2025-02-09\n---\n# Task: Set up\n\nStatus: In Progress\n\n## Objective\nGo.\n";
  assert.deepEqual(describeDocument(TASK, text), {
    title: "Set up",
    type: "task",
    status: "in-progress",
    updated: "2025-02-09",
    tags: ["backend"],
    owner: "max",
    task: { number: "004", objective: "Go.", progress: { done: 0, total: 0 }, dependencies: [] },
    problem: null,
    unread: [],
    bodyOffset: text.indexOf("# Task"),
    properties: "max",
    aliases: [],
    standing: null,
    confirmed: null,
  });
});

test("the reason of a blocked task is its newest note", () => {
  const reason = (status: string) =>
    describeDocument(
      TASK,
      `# Task: A\n\nStatus: ${status}\n\n## Notes\n\n- 2026-11-02, codex: Which \`currency\`?\n`,
    ).task?.reason;
  assert.equal(reason("blocked"), "2026-11-02, codex: Which currency?");
  assert.equal(reason("pending"), undefined);
});

test("an empty note is described from its path", () => {
  assert.deepEqual(describeDocument(NOTE, ""), {
    title: "mcp notes",
    type: "reference",
    status: null,
    updated: null,
    tags: [],
    owner: null,
    task: null,
    problem: null,
    unread: [],
    bodyOffset: 0,
    properties: "",
    aliases: [],
    standing: null,
    confirmed: null,
  });
});

test("a title comes from the first heading, else from frontmatter, else from the filename", () => {
  const title = (text: string, location = NOTE) => describeDocument(location, text).title;
  assert.equal(title("---\ntitle: B\n---\n## C\n# A\n# D\n"), "A");
  assert.equal(title("---\ntitle: B\n# not a heading\n---\n## C\n"), "B");
  assert.equal(title("---\ntitle: [B, C]\n---\n"), "mcp notes");
  assert.equal(title("# Task: A"), "Task: A");
  assert.equal(title("# Task: A", TASK), "A");
  assert.equal(title("", TASK), "set up the index");
  assert.equal(title("", { ...TASK, filename: "004.md" }), "004");
  assert.equal(title("", { ...TASK, filename: "archive/005-old.MD" }), "old");
  assert.equal(title("", { project: "p", folder: "sessions", filename: "2025-02-09.md" }), "2025-02-09");
  assert.equal(
    title("", { project: "p", folder: "sessions", filename: "2025-02-09-fix-it.md" }),
    "2025-02-09 fix it",
  );
  assert.equal(title("", { project: "p", folder: "plans", filename: "12-steps.md" }), "12 steps");
  assert.equal(title("", { project: "p", folder: "plans", filename: "---.md" }), "---");
});

test("a status comes from frontmatter, and only in a task from the status line", () => {
  const status = (text: string, location = TASK) => describeDocument(location, text).status;
  assert.equal(status("---\nstatus: WIP\n---\nStatus: done"), "in-progress");
  assert.equal(status("---\nstatus: [a, b]\n---\nStatus: done"), "done");
  assert.equal(status("---\nstatus: ''\n---\nStatus: done"), "done");
  assert.equal(status("Status: on fire"), "on fire");
  assert.equal(status("# Task: A"), null);
  assert.equal(status("Status: done", NOTE), null);
  assert.equal(status("---\nstatus: done\n---\n", NOTE), "done");
});

test("frontmatter may override the type, but a task is what lives in tasks/", () => {
  const note = describeDocument(NOTE, "---\ntype: task\n---\n");
  assert.deepEqual([note.type, note.task], ["task", null]);
  assert.equal(describeDocument(TASK, "---\ntype: ''\n---\n").type, "task");
});

test("malformed frontmatter is reported, and read as far as it can be", () => {
  const text = "\uFEFF---\ntitle: Fix: x\nstatus: [\npriority: high\ntags: [a]\n---\n# Task: A\n";
  const { problem, bodyOffset, title, tags, status, task } = describeDocument(TASK, text);
  assert.match(problem ?? "", /valid YAML.* Not read: title, status\./);
  assert.equal(text.slice(bodyOffset), "# Task: A\n");
  assert.deepEqual([title, tags, status, task?.priority, task?.problem], ["A", ["a"], null, "high", problem]);
});

test("no text makes it throw, and there is always a title", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(TASK, NOTE), (text, location) => {
      const facts = describeDocument(location, text);
      assert.notEqual(facts.title, "");
      assert.ok(facts.bodyOffset <= text.length);
      JSON.stringify(facts);
    }),
    { numRuns: numRuns(1000) },
  );
});
