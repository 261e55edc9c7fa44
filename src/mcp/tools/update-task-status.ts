import * as z from "zod";
import { TASK_STATUSES } from "../../notes/status.ts";
import { updateTaskStatus } from "../../workspace/project-writes.ts";
import { defineTool } from "../tool.ts";
import { params } from "./params.ts";

export const updateTaskStatusTool = defineTool({
  name: "update_task_status",
  title: "Update task status",
  description:
    "Set in-progress when you start a task, done when its criteria are met, blocked when something stops you. At the end: log_session.",
  access: "write",
  input: () =>
    z.strictObject({
      project: params.project(),
      task: z.string().describe("Number or filename, e.g. 004"),
      status: z.enum(TASK_STATUSES).describe("New status"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      task: z.object({
        filename: z.string(),
        path: z.string(),
        previous_status: z.string().nullable(),
        new_status: z.string(),
      }),
      indexed: z.boolean(),
    }),
  handle: async ({ project: name, task, status }, { workspace }) => {
    const project = workspace.findProject(name);
    const { filename, path, previous, indexed } = await updateTaskStatus(workspace, project, {
      task,
      status,
    });
    const changed = { filename, path, previous_status: previous, new_status: status };
    return { success: true, task: changed, indexed };
  },
});
