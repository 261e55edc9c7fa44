import type { UserError } from "../../lib/errors.ts";
import { prompts } from "./prompts.ts";
import { readTools } from "./read-tools.ts";
import { resources } from "./resources.ts";
import { V1_STATUSES } from "./statuses.ts";
import { writeTools } from "./write-tools.ts";

/** The interface of the earlier Python server, over the same workspace. */
export const apiV1 = {
  tools: [...readTools, ...writeTools],
  prompts,
  resources,
  guide: {
    find: "Find with search, then read_doc the best hit. list_tasks shows the tasks; get_plan shows the plan behind them.",
    write:
      "When you start a task, tool_update_task_status; when you end, tool_log_session what was done and what is next.",
    create: "tool_init_project",
    list: "vibe://projects",
  },
  /** A list without its wrapper. */
  text: (answer: Record<string, unknown>) => JSON.stringify(answer["result"] ?? answer),
  failure,
};

/** An error in the earlier server's wording, without next steps, which name other tools; null for the vault tools, which keep theirs. */
function failure({ code, problem, details: { path, status, task } }: UserError): string | null {
  if (code === code.toLowerCase()) return null;
  if (code === "READ_ONLY") return "AuthError: Server is in read-only mode";
  if (code === "INDEX_ERROR" || code === "FILESYSTEM_ERROR") return `RuntimeError: ${problem}`;
  if (code === "FILE_EXISTS") return `ValueError: File already exists: ${path}`;
  if (code === "FILE_NOT_FOUND") return `ValueError: File not found: ${task ?? path}`;
  // Only the path gate sets a path.
  if (code === "INVALID_PATH" && path !== undefined) return "ValueError: Path is outside VIBE_ROOT";
  if (code !== "INVALID_STATUS") return `ValueError: ${problem}`;
  return `ValueError: Invalid status: ${status}. Must be one of: ${V1_STATUSES.join(", ")}`;
}
