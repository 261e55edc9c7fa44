import * as z from "zod";
import { locateDocument } from "../../notes/document.ts";
import { ARCHIVE } from "../../notes/names.ts";
import { TASK_STATUSES } from "../../notes/status.ts";
import { updateTaskStatus } from "../../workspace/project-writes.ts";
import { tasksAfter } from "../../workspace/tasks.ts";
import { defineTool } from "../tool.ts";
import { hint, hintOf, params } from "./params.ts";

export const updateTaskStatusTool = defineTool({
  name: "update_task_status",
  title: "Update task status",
  description:
    "Set in-progress when you start a task, done when its criteria are met, blocked when something stops you. At the end: log_session.",
  access: "write",
  input: () =>
    z.strictObject({
      project: params.project(),
      task: params.nameOrNumber().describe("Number or filename, e.g. 004"),
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
      unblocked: z.array(z.object({ number: z.string().nullable(), title: z.string(), path: z.string() })),
      indexed: z.boolean(),
      hint: hint(),
    }),
  handle: async ({ project: name, task, status }, { workspace }) => {
    const project = workspace.findProject(name);
    const changed = await updateTaskStatus(workspace, project, { task, status });
    const { filename, path, previous, indexed } = changed;
    const finished = status === "done" && previous !== "done";
    // The list comes from the index: the change must be in it.
    const ready = finished && indexed ? await tasksAfter(workspace, { project, filename }) : [];
    return {
      success: true,
      task: { filename, path, previous_status: previous, new_status: status },
      unblocked: ready.map(({ number, title, path }) => ({ number, title, path })),
      indexed,
      ...hintOf(
        changed.changed ? null : `The task is already ${status}: nothing was changed.`,
        archiveHint(path, status),
      ),
    };
  },
});

function archiveHint(path: string, status: string): string | null {
  const isHidden = locateDocument(path)?.folder === ARCHIVE && status !== "done";
  return isHidden
    ? "It is in the archive, which lists skip: archive_tasks with restore moves it back."
    : null;
}
