import { z } from "zod";
import { TASK_STATUSES } from "../domain/status.ts";
import { setTaskStatus } from "../domain/status-edit.ts";
import { defineTool } from "../tool.ts";
import { findTaskFile } from "../workspace/tasks.ts";
import { replaceDocument } from "../workspace/write.ts";
import { params } from "./params.ts";

export const updateTaskStatusTool = defineTool({
  name: "update_task_status",
  title: "Update task status",
  description:
    "Set a task's status: in-progress when you start, done when its criteria hold, blocked when something stands in the way.",
  access: "write",
  input: z.strictObject({
    project: params.project,
    task: z.string().describe("Number or filename, e.g. 004"),
    status: z.enum(TASK_STATUSES).describe("New status"),
  }),
  output: z.object({
    success: z.boolean(),
    task: z.object({
      filename: z.string(),
      path: z.string(),
      previous_status: z.string().nullable(),
      new_status: z.string(),
    }),
    indexed: z.boolean(),
  }),
  handle: async ({ project: given, task, status }, { workspace }) => {
    const project = workspace.findProject(given);
    return workspace.locked(project, async () => {
      const filename = findTaskFile(workspace.root, project, task);
      const document = workspace.read({ project, folder: "tasks", filename });
      const { path, indexed } = await replaceDocument(
        workspace,
        document,
        setTaskStatus(document.text, status),
      );
      const previous_status = document.facts.status;
      const changed = { filename: document.filename, path, previous_status, new_status: status };
      return { success: true, task: changed, indexed };
    });
  },
});
