import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { isClosed } from "../../notes/task/statuses.ts";
import { progressIn } from "../../notes/task/task.ts";
import { updateTask } from "../../workspace/project-writes.ts";
import { defineProjectTool } from "../tool.ts";
import { count, params } from "./params.ts";
import { checkTaskTitle, circleHint, missingOf, missingResult } from "./task-document.ts";
import { changedFields } from "./task-fields.ts";
import { unblocked, unblockedOf } from "./update-task-status.ts";

/** The command line has a command for it. */
export const ALL_DONE = "All steps are done: check the criteria, then set the status to done.";

/** `lines` quotes what changed of these. */
const BOXES: ReadonlySet<string> = new Set(["steps", "criteria"]);

const progress = () => z.object({ done: count(), total: count() });
/** Words for a step lead to the list of them: their number is none. */
const numbers = () => {
  const number = z.preprocess(
    (value) => (typeof value === "string" ? Number(value) || 0 : value),
    z.number().int(),
  );
  return z.array(number).optional();
};

export const updateTaskTool = defineProjectTool({
  name: "update_task",
  title: "Update task",
  description: "Tick steps as you finish them, or replace parts of a task; null removes one.",
  access: "write",
  searchHint: "tick steps, priority, due",
  destructive: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      task: params.task(),
      done_steps: numbers().describe("Numbers, from 1"),
      open_steps: numbers(),
      done_criteria: numbers(),
      open_criteria: numbers(),
      title: z.string().optional().describe("Renames the file"),
      objective: z.string().optional(),
      ...changedFields(),
      dependencies: params.tasks(),
      agent: params.agent(),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      task: z.object({ path: z.string() }),
      ...missingResult(),
      changed: z.array(z.string()).optional().describe("The parts that differ now, if not only ticks"),
      lines: z.array(z.string()).optional().describe("Ticked or reopened"),
      progress: progress().optional(),
      unblocked: unblocked(),
      indexed: z.literal(false).optional().describe("Not searchable yet"),
      criteria: progress().optional().describe("If they changed"),
    }),
  handle: async ({ project, ...args }, { workspace }) => {
    const { task: _, agent: __, ...changes } = args;
    if (Object.values(changes).every((value) => value === undefined)) throw nothingToChange();
    if (args.title !== undefined) checkTaskTitle(args.title);
    const updated = await updateTask(workspace, project, args);
    const { path, facts, changed, lines, becameReady, circle, indexed } = updated;
    const { title, status, task } = facts;
    const { number = null, progress = { done: 0, total: 0 }, dependencies = [] } = task ?? {};
    const allDone = changed.includes("steps") && progress.done === progress.total && !isClosed(status);
    const remarks = missingOf(
      workspace,
      { project, dependencies: changed.includes("dependencies") ? dependencies : [] },
      changed.length === 0 ? "The task is like that already: nothing was changed." : null,
      allDone ? ALL_DONE : null,
      circleHint(circle),
      ...updated.notes,
      updated.renameNote,
      updated.tagNote,
    );
    return {
      success: true,
      task: { path },
      ...(changed.some((part) => !BOXES.has(part)) && { changed }),
      ...(lines.length > 0 && { lines }),
      ...((args.done_steps ?? args.open_steps) && { progress }),
      ...(changed.includes("criteria") && {
        criteria: progressIn(updated.text, facts.bodyOffset, "criteria"),
      }),
      ...unblockedOf(becameReady ? [{ number, title, path }] : []),
      ...(!indexed && { indexed }),
      ...remarks,
    };
  },
});

function nothingToChange(): UserError {
  const message =
    "There is nothing to change. Give 'done_steps', 'title' or another part; update_task_status sets the status.";
  return new UserError("INVALID_ARGUMENT", message);
}
