import { dateFile, type Files, writeFiles } from "./workspace.ts";

/** The project of the two source documents' examples, whose prompts have to hold all that their lists name. */
export const VIBE_MCP: Files = {
  "vibeMCP/status.md": `# vibeMCP

Working on Phase 1 - Core MCP implementation.
Indexer complete, now implementing tools.

## Decisions
- **Truth:** the files, never the index
`,
  "vibeMCP/tasks/003-disenar-schema-sqlite.md": `---
status: done
updated: 2025-02-09
---
# Task: Diseñar schema SQLite

## Objective
Diseñar el schema SQLite para el indexador.

## Context
- Related files: \`docs/sqlite-schema.md\`
`,
  "vibeMCP/tasks/004-definir-interfaz-mcp.md": `# Task: Definir interfaz MCP

Status: in-progress

## Objective
Documentar la API completa del MCP server: resources, tools y prompts.

## Context
- Related files: \`docs/vibe-structure.md\`
- Dependencies: 003-disenar-schema-sqlite

## Steps
1. [x] Definir resources
2. [x] Definir tools de lectura
3. [x] Definir tools de escritura
4. [ ] Definir prompts
5. [ ] Documentar parámetros y respuestas
6. [ ] Marcar happy path
7. [ ] Mapear tools a filesystem ops
`,
  "vibeMCP/tasks/005-crear-workspace-de-ejemplo.md": `# Task: Crear workspace de ejemplo

Status: pending

## Objective
Armar 2-3 proyectos con contenido realista para validación.

## Context
- Dependencies: 003
`,
  "vibeMCP/tasks/006-implementar-indexador.md": `# Task: Implementar indexador

Status: pending

## Objective
Indexar el workspace.

## Context
- Dependencies: 004, 005
`,
  "vibeMCP/tasks/008-deploy.md": `# Task: Deploy

Status: blocked

## Objective
Set up VPS deployment

## Context
- Dependencies: 005
`,
  "vibeMCP/plans/execution-plan.md": `---
type: plan
updated: 2025-02-09
---
# Execution Plan — vibeMCP

## Overview
Exponer el sistema de workspaces .vibe existente como un MCP server.

## Current Status
- done: 003
- in-progress: 004
- blocked: 008
- pending: 005, 006

## Decisiones
- **Database choice:** SQLite con FTS5 (no necesitamos escala)
`,
  "vibeMCP/changelog/v0.1.0.md": `# v0.1.0

## Decisions
- **Chunking strategy:** Por headings nivel 1-2
`,
  "vibeMCP/sessions/2025-02-06.md": "# Session Log - 2025-02-06\n\n## Done\n- Too old to be shown\n",
  "vibeMCP/sessions/2025-02-07.md": `# Session Log - 2025-02-07

## やったこと
- 全文検索の索引を仕上げた。

## ブロックされていること
- デザインチームの結論待ち。

## 次にやること
- 認証トークンの設計。
`,
  "vibeMCP/sessions/2025-02-08.md": `# Session Log - 2025-02-08

## Done
- Completed indexer module

## Blocked by
- Waiting for FastMCP update

## Next steps
- Add write tools

## 決定事項
- Transport: SSE
`,
  "vibeMCP/sessions/2025-02-09.md": `# Session Log - 2025-02-09

## Lo que hice
- Diseñé el schema SQLite

---
**14:30:15**

## Lo que hice
- Documenté reglas de ranking

## Próximo
- Interfaz MCP
`,
};

/** Writes it with dates of its own, so that what is made of it is the same every day. */
export function writeVibeMcp(root: string): void {
  writeFiles(root, VIBE_MCP);
  for (const path of Object.keys(VIBE_MCP)) dateFile(root, path, "2025-02-09T14:30:00Z");
}

export const VIBE_MCP_CLOCK = { now: () => new Date("2025-02-10T09:00:00Z") };
