import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTells } from "../fixtures/tells.ts";
import { connect, dateFile, makeWorkspace } from "../fixtures/workspace.ts";

const TASK =
  "# Task: Definir interfaz MCP (resources, tools, prompts)\n\nStatus: pending\n\n## Objective\nDocumentar la API completa del MCP server...\n\n## Steps\n1. [ ] Definir resources...\n";
const PLAN = "# Execution Plan — vibeMCP\n\n## Overview\n...";
const clock = { now: () => new Date(2025, 1, 9, 14, 30, 0) };
const project = "vibeMCP";

/** The requests of the interface specification in its order, with the fields that each answer must have. */
const EXAMPLES: [tool: string, request: object, response: object][] = [
  [
    "read_doc",
    { project, folder: "tasks", filename: "004-definir-interfaz-mcp.md" },
    {
      project,
      folder: "tasks",
      filename: "004-definir-interfaz-mcp.md",
      path: "vibeMCP/tasks/004-definir-interfaz-mcp.md",
      metadata: { type: "task", status: "pending", updated: "2025-02-09", tags: [], owner: null },
      content: TASK,
    },
  ],
  [
    "list_tasks",
    { project, status: "pending" },
    {
      project,
      filter: { status: "pending" },
      total: 1,
      tasks: [
        {
          filename: "004-definir-interfaz-mcp.md",
          title: "Definir interfaz MCP (resources, tools, prompts)",
          status: "pending",
          updated: "2025-02-09",
          objective: "Documentar la API completa del MCP server...",
        },
      ],
    },
  ],
  [
    "get_plan",
    { project },
    {
      project,
      filename: "execution-plan.md",
      path: "vibeMCP/plans/execution-plan.md",
      exists: true,
      metadata: { type: "plan", updated: "2025-02-09" },
      content: PLAN,
      parsed: { overview: "...", task_count: 0, pending: 0, in_progress: 0, done: 0 },
    },
  ],
  [
    "create_doc",
    {
      project,
      folder: "references",
      filename: "mcp-protocol-notes.md",
      content: "# MCP Protocol Notes\n\n## Overview\n...",
      frontmatter: { tags: ["mcp", "protocol", "reference"] },
    },
    { success: true, path: "vibeMCP/references/mcp-protocol-notes.md", indexed: true },
  ],
  [
    "update_doc",
    {
      project,
      folder: "tasks",
      filename: "004-definir-interfaz-mcp.md",
      content: TASK.replace("pending", "in-progress"),
    },
    { success: true, path: "vibeMCP/tasks/004-definir-interfaz-mcp.md", indexed: true },
  ],
  [
    "update_task_status",
    { project, task: "004", status: "in-progress" },
    {
      success: true,
      task: {
        filename: "004-definir-interfaz-mcp.md",
        path: "vibeMCP/tasks/004-definir-interfaz-mcp.md",
        previous_status: "in-progress",
        new_status: "in-progress",
      },
      indexed: true,
    },
  ],
  [
    "create_plan",
    { project, filename: "second.md", content: PLAN },
    { success: true, path: "vibeMCP/plans/second.md", action: "created", indexed: true },
  ],
  [
    "log_session",
    {
      project,
      content: "## Lo que hice\n\n- Diseñé la interfaz MCP\n\n## Next steps\n\n- Implementar indexador",
    },
    {
      success: true,
      session: { filename: "2025-02-09.md", path: "vibeMCP/sessions/2025-02-09.md", action: "created" },
      indexed: true,
    },
  ],
  [
    "log_session",
    { project, content: "## Afternoon update\n\n- Terminé el diseño", append: true },
    {
      success: true,
      session: { filename: "2025-02-09.md", path: "vibeMCP/sessions/2025-02-09.md", action: "appended" },
      indexed: true,
    },
  ],
  [
    "search",
    { query: "interfaz MCP", project, limit: 10 },
    {
      query: "interfaz MCP",
      results: [{ project, folder: "tasks", heading: "## Objective" }],
    },
  ],
  ["reindex", { project, full: false }, { success: true, project, stats: { scanned: 5, deleted: 0 } }],
];

/** The part of an answer that the example shows. */
function selected(answer: unknown, example: unknown): unknown {
  if (Array.isArray(example) && Array.isArray(answer))
    return example.map((one, at) => selected(answer[at], one));
  if (typeof example !== "object" || example === null || typeof answer !== "object" || answer === null)
    return answer;
  return Object.fromEntries(
    Object.keys(example).map((key) => [key, selected(Reflect.get(answer, key), Reflect.get(example, key))]),
  );
}

test("each example request of the specification gets its example response", async (t) => {
  const files = {
    "vibeMCP/tasks/004-definir-interfaz-mcp.md": TASK,
    "vibeMCP/plans/execution-plan.md": PLAN,
  };
  const root = makeWorkspace(t, files);
  for (const path of Object.keys(files)) dateFile(root, path, "2025-02-09T14:30:00Z");
  const { call } = await connect(t, root, { clock });
  for (const [tool, request, response] of EXAMPLES) {
    const answer = await call(tool, { ...request });
    assert.deepEqual(selected(answer, response), response, tool);
  }
});

test("the example error of the specification has its code, message and details", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "vibeMCP/": "" }));
  const error = await fail("read_doc", { project, folder: "tasks", filename: "999-nonexistent.md" });
  assert.equal(error.code, "FILE_NOT_FOUND");
  assertTells(error.message, ["'tasks/999-nonexistent.md' not found", "'vibeMCP'"]);
  assert.deepEqual([error.details["project"], error.details["path"]], [project, "tasks/999-nonexistent.md"]);
});
