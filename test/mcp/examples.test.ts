import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

/** The example requests of the interface specification, literally, and what their answers say; that of `create_task` is in its own test. */
const REQUESTS: [tool: string, request: Record<string, unknown>, says?: RegExp][] = [
  ["search", { query: "indexador sqlite", project: "vibeMCP", limit: 10 }, /003-disenar-schema-sqlite/],
  [
    "read_doc",
    { project: "vibeMCP", folder: "tasks", filename: "004-definir-interfaz-mcp.md" },
    /Documentar la API/,
  ],
  ["list_tasks", { project: "vibeMCP", status: "pending" }, /"total":1/],
  ["get_plan", { project: "vibeMCP" }, /"exists":true/],
  [
    "create_doc",
    {
      project: "vibeMCP",
      folder: "references",
      filename: "mcp-protocol-notes.md",
      content: "# MCP Protocol Notes\n\n## Overview\n...",
      frontmatter: { tags: ["mcp", "protocol", "reference"] },
    },
  ],
  [
    "update_doc",
    {
      project: "vibeMCP",
      folder: "tasks",
      filename: "004-definir-interfaz-mcp.md",
      content: "# Task: Definir interfaz MCP...\n\nStatus: in-progress\n\n...",
    },
  ],
  ["update_task_status", { project: "vibeMCP", task: "004", status: "in-progress" }],
  [
    "create_plan",
    { project: "vibeMCP", content: "# Execution Plan — vibeMCP\n\n## Overview\n..." },
    /"action":"updated"/,
  ],
  [
    "log_session",
    {
      project: "vibeMCP",
      content:
        "## Lo que hice\n\n- Diseñé la interfaz MCP\n- Documenté todos los tools\n\n## Next steps\n\n- Implementar indexador\n- Escribir tests",
    },
    /"action":"created"/,
  ],
  [
    "log_session",
    {
      project: "vibeMCP",
      content: "## Afternoon update\n\n- Terminé el diseño\n- El PR está listo para review",
      append: true,
    },
    /"action":"appended"/,
  ],
  ["reindex", { project: "vibeMCP", full: false }, /"scanned":/],
];

test("each example request of the interface specification is answered", async (t) => {
  const root = makeWorkspace(t, {
    "vibeMCP/tasks/003-disenar-schema-sqlite.md":
      "# Task: Diseñar schema SQLite\n\nStatus: done\n\nEl indexador.\n",
    "vibeMCP/tasks/004-definir-interfaz-mcp.md":
      "# Task: Definir interfaz MCP\n\nStatus: pending\n\n## Objective\nDocumentar la API completa.\n",
    "vibeMCP/plans/execution-plan.md": "# Execution Plan — vibeMCP\n\n## Overview\nExponer el sistema.\n",
  });
  const { call } = await connect(t, root);
  for (const [tool, request, says = /"success":true/] of REQUESTS)
    assert.match(JSON.stringify(await call(tool, request)), says, tool);
});
