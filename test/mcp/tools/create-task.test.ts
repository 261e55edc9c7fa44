import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { createTaskTool } from "../../../src/core/mcp/tools/create-task.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof createTaskTool>;

// The request and the file of the interface specification.
const REQUEST = {
  project: "vibeMCP",
  title: "Implementar tool search",
  objective: "Implementar la tool search con FTS5 y ranking inteligente.",
  steps: [
    "Crear función de búsqueda en SQLite",
    "Implementar cálculo de ranking con boosts",
    "Formatear respuesta según spec MCP",
    "Agregar tests",
  ],
  acceptance_criteria: [
    "Búsqueda devuelve resultados relevantes",
    "Ranking ordena por relevancia combinada",
    "Snippets muestran contexto del match",
  ],
  context: {
    related_files: ["src/tools/search.py", "src/db/fts.py"],
    dependencies: ["003-disenar-schema-sqlite"],
  },
  notes: "Usar BM25 nativo de FTS5. Los boosts están documentados en sqlite-schema.md",
  tags: ["backend", "fts5", "search"],
};

const FILE = `---
tags: [backend, fts5, search]
---
# Task: Implementar tool search

Status: pending

## Objective
Implementar la tool search con FTS5 y ranking inteligente.

## Context
- Related files: \`src/tools/search.py\`, \`src/db/fts.py\`
- Dependencies: 003-disenar-schema-sqlite

## Steps
1. [ ] Crear función de búsqueda en SQLite
2. [ ] Implementar cálculo de ranking con boosts
3. [ ] Formatear respuesta según spec MCP
4. [ ] Agregar tests

## Acceptance Criteria
- [ ] Búsqueda devuelve resultados relevantes
- [ ] Ranking ordena por relevancia combinada
- [ ] Snippets muestran contexto del match

## Notes
Usar BM25 nativo de FTS5. Los boosts están documentados en sqlite-schema.md
`;

test("the specification's request gives the specification's answer and file, byte for byte", async (t) => {
  const root = makeWorkspace(t, {
    "vibeMCP/tasks/003-disenar-schema-sqlite.md": "# Task: x",
    "vibeMCP/tasks/005-crear-workspace-ejemplo.md": "# Task: x",
  });
  const { call } = await connect(t, root);
  assert.deepEqual(await call("create_task", REQUEST), {
    success: true,
    task: {
      number: "006",
      filename: "006-implementar-tool-search.md",
      path: "vibeMCP/tasks/006-implementar-tool-search.md",
      status: "pending",
    },
    indexed: true,
  });
  assert.equal(readFileSync(join(root, "vibeMCP/tasks/006-implementar-tool-search.md"), "utf8"), FILE);
});

test("numbers continue after the highest, also past 999 and in subfolders", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/998-a.md": "x",
    "p/tasks/archive/999-b.md": "x",
    "p/tasks/2026-01-01-note.md": "x",
    "p/tasks/003-gap.md": "x",
  });
  const { call } = await connect(t, root);
  const numbers: string[] = [];
  for (const title of ["one", "two"]) {
    const { task }: Answer = await call("create_task", { project: "p", title, objective: "x" });
    numbers.push(task.number);
  }
  assert.deepEqual(numbers, ["1000", "1001"]);
});

test("a title too long for one is refused, and not cut", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { fail } = await connect(t, root);
  const args = { project: "p", title: "word ".repeat(1_000), objective: "x" };
  const { code, message } = await fail("create_task", args);
  assert.deepEqual([code, existsSync(join(root, "p/tasks"))], ["INVALID_ARGUMENT", false]);
  assertTells(message, ["title", "4999", "300", "objective"]);
});

test("hostile titles give sane names and inject nothing", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const titles = {
    "!!!": /^001-task\.md$/,
    ["x".repeat(300)]: /^002-x{60}\.md$/,
    "Two\nStatus: done\nlines": /^003-two-status-done-lines\.md$/,
    "🚀 Launch 🎉": /^004-launch\.md$/,
    認証トークンを導入する: /^005-認証トークンを導入する\.md$/,
    "Diseñar Ünïcode": /^006-disenar-unicode\.md$/,
    "../../etc/passwd": /^007-etc-passwd\.md$/,
    con: /^008-con.*\.md$/,
  };
  for (const [title, name] of Object.entries(titles)) {
    const { task }: Answer = await call("create_task", { project: "p", title, objective: "Status: blocked" });
    assert.match(task.filename, name);
    assert.ok(existsSync(join(root, task.path)));
  }
  const { tasks } = await call<{ tasks: { status: string }[] }>("list_tasks", { project: "p" });
  assert.deepEqual([...new Set(tasks.map(({ status }) => status))], ["pending"]);
  assert.equal(readdirSync(join(root, "p", "tasks")).length, 8);
});

test("a blank title is refused, and the message says what belongs in it", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { fail } = await connect(t, root);
  const task = { title: "x", objective: "y" };
  assert.equal((await fail("create_task", { ...task, project: "q" })).code, "PROJECT_NOT_FOUND");
  assert.equal((await fail("create_task", { ...task, project: "p", status: "soon" })).code, "INVALID_STATUS");
  const { code, message, details } = await fail("create_task", { project: "p", title: " ", objective: "x" });
  assert.deepEqual([code, details], ["INVALID_ARGUMENT", { argument: "title" }]);
  assert.match(message, /few words/);
  assert.deepEqual(readdirSync(join(root, "p")), []);
});

test("links between task folders do not duplicate tasks", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  for (const name of ["a", "b", "c", "d", "e", "f"]) symlinkSync(".", join(root, "p", "tasks", name));
  const { call } = await connect(t, root);
  await call("update_task_status", { project: "p", task: "001", status: "done" });
  const { task } = await call<{ task: { number: string } }>("create_task", {
    project: "p",
    title: "B",
    objective: "x",
  });
  assert.equal(task.number, "002");
});

test("several dependencies in one string are all read", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "Status: done",
    "p/tasks/002-b.md": "Status: pending",
  });
  const { call } = await connect(t, root);
  const context = { dependencies: ["001, 002"] };
  await call("create_task", { project: "p", title: "C", objective: "x", context });
  type Answer = { tasks: { number: string; open_dependencies: string[] }[] };
  const { tasks } = await call<Answer>("list_tasks", { project: "p" });
  assert.deepEqual(tasks.find(({ number }) => number === "003")?.open_dependencies, ["002"]);
});

test("a dependency that does not exist is reported, and the task is created", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-setup.md": "Status: done",
    "q/tasks/042-x.md": "Status: done",
  });
  const { call } = await connect(t, root);
  let titles = 0;
  const create = (...dependencies: string[]) =>
    call<Answer>("create_task", {
      project: "p",
      title: `C${++titles}`,
      objective: "x",
      context: { dependencies },
    });
  const { missing_dependencies, hint, task } = await create(
    "042",
    "001",
    "tasks/001-setup.md",
    "#7",
    "deploy",
    "setup",
  );
  assert.deepEqual(missing_dependencies, ["042", "7", "deploy"]);
  assertTells(hint ?? "", ["042", "7", "deploy", "update_task", "dependencies"]);
  assert.match(readFileSync(join(root, task.path), "utf8"), /Dependencies: 042, 001/);
  // Its own number, and the one before.
  for (const named of [[], ["001"], ["3"]]) {
    const answer = await create(...named);
    assert.deepEqual([answer.missing_dependencies, answer.hint], [undefined, undefined], named.join());
  }
});

test("another open task of the same title is named", async (t) => {
  const { call } = await connect(
    t,
    makeWorkspace(t, { "p/tasks/001-a.md": "# Task: Añade  login\n\nStatus: pending" }),
  );
  const create = (title: string) => call<Answer>("create_task", { project: "p", title, objective: "x" });
  const { hint } = await create("añade login");
  assertTells(hint ?? "", ["p/tasks/001-a.md", "same title"]);
  assert.doesNotMatch(hint ?? "", /002/);
  assert.equal((await create("Another")).hint, undefined);
  for (const task of ["1", "2"]) await call("update_task_status", { project: "p", task, status: "done" });
  assert.equal((await create("Añade login")).hint, undefined);
});

test("dependencies outside of context are refused with the place they belong in", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { fail } = await connect(t, root);
  for (const name of ["dependencies", "related_files"]) {
    const { code, message, details } = await fail("create_task", {
      project: "p",
      title: "C",
      objective: "x",
      [name]: ["001"],
    });
    assert.equal(code, "INVALID_ARGUMENT");
    assert.match(message, new RegExp(`Did you mean 'context\\.${name}'\\?`));
    assert.deepEqual(details.suggestions, [`context.${name}`]);
  }
  assert.deepEqual(readdirSync(join(root, "p")), []);
});

test("priority and due date go into frontmatter, and only real days are taken", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail } = await connect(t, root);
  const task = { project: "p", title: "Pay", objective: "Pay the bill." };
  await call("create_task", { ...task, priority: "Urgente", due: "2026-11-30T09:00", tags: ["money"] });
  const text = readFileSync(join(root, "p/tasks/001-pay.md"), "utf8");
  assert.match(text, /^---\ntags: \[money\]\npriority: high\ndue: 2026-11-30\n---\n# Task: Pay\n/);
  const { tasks } = await call<{ tasks: Record<string, unknown>[] }>("list_tasks", { project: "p" });
  assert.deepEqual([tasks[0]?.["priority"], tasks[0]?.["due"]], ["high", "2026-11-30"]);
  const { code, message } = await fail("create_task", { ...task, due: "2026-02-30" });
  assert.equal(code, "INVALID_ARGUMENT");
  assertTells(message, ["'due'", "YYYY-MM-DD"]);
});

test("a task may have an owner from the start, and shows its defaults in the schema", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail, client } = await connect(t, root);
  const args = { project: "p", title: "A", objective: "x" };
  const { task } = await call<Answer>("create_task", { ...args, owner: " ana  maría " });
  assert.match(
    readFileSync(join(root, task.path), "utf8"),
    /^---\nowner: ana maría\n---\n# Task: A\n\nStatus: pending\n/,
  );
  assert.match((await fail("create_task", { ...args, owner: "x".repeat(101) })).message, /^'owner' has 101/);
  const { tools } = await client.listTools();
  const schema = tools.find(({ name }) => name === "create_task")?.inputSchema;
  const shown = (schema?.properties ?? {}) as Record<string, { default?: unknown }>;
  assert.deepEqual([shown["status"]?.default, shown["tags"]?.default], ["pending", []]);
});

test("a dependency keeps a name with separators whole, and a title becomes the name", async (t) => {
  const names = ["001-a, b; c", "002-d (old)", "003-e [f], g", "004-plain"];
  const root = makeWorkspace(
    t,
    Object.fromEntries(
      names.map((name, at) => [`p/tasks/${name}.md`, `# Task: Ship ${at}, then rest\nStatus: pending\n`]),
    ),
  );
  const { call } = await connect(t, root);
  const create = async (dependencies: string[]) => {
    const context = { dependencies };
    const answer = await call<Answer>("create_task", { project: "p", title: "x", objective: "y", context });
    const text = readFileSync(join(root, answer.task.path), "utf8");
    return { line: /^- Dependencies: (.*)$/m.exec(text)?.[1], missing: answer.missing_dependencies };
  };
  const link = "[003-e \\[f\\], g](003-e%20%5Bf%5D,%20g.md)";
  const whole = { line: `[[001-a, b; c]], [[002-d (old)]], ${link}, 004-plain`, missing: undefined };
  assert.deepEqual(await create(names), whole);
  assert.deepEqual(await create(names.map((_, at) => `ship ${at}, then rest`)), whole);
  assert.deepEqual(await create(["001, Ship 3, then rest"]), {
    line: "001, Ship 3, then rest",
    missing: ["Ship 3", "then rest"],
  });
});
