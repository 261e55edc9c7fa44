import { failure } from "./failure.ts";
import { prompts } from "./prompts.ts";
import { readTools } from "./read-tools.ts";
import { resources } from "./resources.ts";
import { writeTools } from "./write-tools.ts";

/** What a client of the earlier Python server meets, over the same workspace. */
export const apiV1 = {
  tools: [...readTools, ...writeTools],
  prompts,
  resources,
  guide: {
    find: "Find with search, then read_doc the best hit. list_tasks shows the tasks, get_plan the plan behind them.",
    write:
      "When you start a task, tool_update_task_status; when you end, tool_log_session what was done and what is next.",
    create: "tool_init_project",
    list: "vibe://projects",
  },
  /** A list is printed bare. */
  text: (answer: Record<string, unknown>) => JSON.stringify(answer["result"] ?? answer),
  failure,
};
