import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { ARCHIVE } from "../../notes/names.ts";
import { isClosed } from "../../notes/task/statuses.ts";
import { updateTaskStatus } from "../../workspace/project-writes.ts";
import { tasksAfter, type WorkspaceTask } from "../../workspace/tasks.ts";
import { ADDED_BEFORE } from "../again.ts";
import { defineProjectTool } from "../tool.ts";
import { count, hint, hintOf, params } from "./params.ts";
import { openHint, openOf } from "./task-document.ts";

export const updateTaskStatusTool = defineProjectTool({
  name: "update_task_status",
  title: "Update task status",
  description:
    "Set done when the criteria hold, review for a person to look, blocked with a note. Next: log_session.",
  access: "write",
  searchHint: "finish, block, review a task",
  input: () =>
    z.strictObject({
      project: params.project(),
      task: params.task(),
      status: params.status().optional(),
      note: z.string().optional(),
      expected_status: z.string().optional().describe("The status you last read"),
      agent: params.agent(),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      open: z.object({ steps: count(), criteria: count() }).optional().describe("What done leaves unticked"),
      task: z.object({
        filename: z.string(),
        path: z.string(),
        previous_status: z.string().nullable(),
        new_status: z.string(),
      }),
      unblocked: unblocked(),
      indexed: z.boolean(),
      hint: hint(),
    }),
  handle: async ({ project, ...update }, { workspace, again }) => {
    if (update.status === undefined && !update.note?.trim()) throw noStatus();
    const changed = await updateTaskStatus(workspace, project, update, again);
    const { folder, filename, path, previous, indexed, status } = changed;
    const finished = isClosed(status) && !isClosed(previous);
    // The list comes from the index: the change must be in it.
    const ready = finished && indexed ? await tasksAfter(workspace, { project, path }) : [];
    const left = status === "done" && update.status === "done" ? changed.open : { steps: [], criteria: [] };
    return {
      success: true,
      ...openOf(left),
      task: { filename, path, previous_status: previous, new_status: status ?? "" },
      ...unblockedOf(ready),
      indexed,
      ...hintOf(
        changed.isAgain ? ADDED_BEFORE : null,
        changed.changed || changed.isAgain ? null : `The task is already ${status}: nothing was changed.`,
        openHint(left),
        ...changed.notes,
        folder === ARCHIVE && !isClosed(status) ? ARCHIVED : null,
      ),
    };
  },
});

/** Tasks that became ready. */
export const unblocked = () =>
  z.array(z.object({ number: z.string().nullable(), title: z.string(), path: z.string() })).optional();

/** The field for them; none if there is none. */
export function unblockedOf(ready: readonly Pick<WorkspaceTask, "number" | "title" | "path">[]) {
  const tasks = ready.map(({ number, title, path }) => ({ number, title, path }));
  return tasks.length === 0 ? {} : { unblocked: tasks };
}

const ARCHIVED = "It is in the archive, which lists skip: restore it to work on it.";

function noStatus(): UserError {
  const message = "'status' is missing. Without one, 'note' adds a line under Notes.";
  return new UserError("INVALID_ARGUMENT", message, { details: { argument: "status" } });
}
