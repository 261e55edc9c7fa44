import { UsageError } from "../config.ts";
import { nearest } from "../lib/text.ts";
import { createDocTool } from "./create-doc.ts";
import { createPlanTool } from "./create-plan.ts";
import { createTaskTool } from "./create-task.ts";
import type { Tool } from "./define-tool.ts";
import { getPlanTool } from "./get-plan.ts";
import { initProjectTool } from "./init-project.ts";
import { listProjectsTool } from "./list-projects.ts";
import { listTasksTool } from "./list-tasks.ts";
import { logSessionTool } from "./log-session.ts";
import { readDocTool } from "./read-doc.ts";
import { reindexTool } from "./reindex.ts";
import { searchTool } from "./search.ts";
import { updateDocTool } from "./update-doc.ts";
import { updateTaskStatusTool } from "./update-task-status.ts";

/** Every tool, in the order clients list them: what is used most first. */
export const allTools: readonly Tool[] = [
  searchTool,
  readDocTool,
  listTasksTool,
  getPlanTool,
  listProjectsTool,
  createTaskTool,
  updateTaskStatusTool,
  logSessionTool,
  createDocTool,
  updateDocTool,
  createPlanTool,
  initProjectTool,
  reindexTool,
];

const CORE = ["search", "read_doc", "list_tasks", "create_task", "update_task_status", "log_session"];

const GROUPS: Record<string, (tool: Tool) => boolean> = {
  all: () => true,
  core: ({ name }) => CORE.includes(name),
  read: ({ access }) => access === "read",
  write: ({ access }) => access === "write",
};

/** The tools that a comma-separated list of names and groups picks. Throws UsageError for a name that is neither. */
export function selectTools(choice: string): readonly Tool[] {
  const words = choice.split(",").map((word) => word.trim().toLowerCase());
  const wanted = words.map(picker);
  return allTools.filter((tool) => wanted.some((picks) => picks(tool)));
}

function picker(word: string): (tool: Tool) => boolean {
  const group = Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined;
  if (group !== undefined) return group;
  if (allTools.some(({ name }) => name === word)) return ({ name }) => name === word;
  const known = [...Object.keys(GROUPS), ...allTools.map(({ name }) => name)];
  const [suggestion] = nearest(word, known, 1);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  throw new UsageError(
    `--tools knows no "${word}".${hint} It takes ${Object.keys(GROUPS).join(", ")} and names of tools`,
  );
}
