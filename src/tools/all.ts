import type { Tool } from "./define-tool.ts";
import { getPlanTool } from "./get-plan.ts";
import { listProjectsTool } from "./list-projects.ts";
import { listTasksTool } from "./list-tasks.ts";
import { readDocTool } from "./read-doc.ts";
import { reindexTool } from "./reindex.ts";
import { searchTool } from "./search.ts";

/** Every tool, in the order clients list them: the happy path first. */
export const allTools = [
  searchTool,
  readDocTool,
  listTasksTool,
  getPlanTool,
  listProjectsTool,
  reindexTool,
] as const satisfies readonly Tool[];
