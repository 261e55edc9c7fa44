import type { Tool } from "../tool.ts";
import { archiveTasksTool } from "./archive-tasks.ts";
import { claimTaskTool } from "./claim-task.ts";
import { createDocTool } from "./create-doc.ts";
import { createPlanTool } from "./create-plan.ts";
import { createTaskTool } from "./create-task.ts";
import { deleteDocTool } from "./delete-doc.ts";
import { getBriefingTool } from "./get-briefing.ts";
import { getPlanTool } from "./get-plan.ts";
import { historyTool } from "./history.ts";
import { initProjectTool } from "./init-project.ts";
import { listProjectsTool } from "./list-projects.ts";
import { listTasksTool } from "./list-tasks.ts";
import { logSessionTool } from "./log-session.ts";
import { moveDocTool } from "./move-doc.ts";
import { readDocTool } from "./read-doc.ts";
import { reindexTool } from "./reindex.ts";
import { restoreDocTool } from "./restore-doc.ts";
import { searchTool } from "./search.ts";
import { updateDocTool } from "./update-doc.ts";
import { updateTaskTool } from "./update-task.ts";
import { updateTaskStatusTool } from "./update-task-status.ts";

/** In the order clients list them: the most used first. */
export const allTools: readonly Tool[] = [
  searchTool,
  readDocTool,
  listTasksTool,
  getPlanTool,
  listProjectsTool,
  getBriefingTool,
  createTaskTool,
  claimTaskTool,
  updateTaskTool,
  updateTaskStatusTool,
  logSessionTool,
  createDocTool,
  updateDocTool,
  createPlanTool,
  moveDocTool,
  deleteDocTool,
  historyTool,
  restoreDocTool,
  archiveTasksTool,
  initProjectTool,
  reindexTool,
];
