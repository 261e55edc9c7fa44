import * as z from "zod";
import { leadingDate } from "../../lib/clock.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { type ArchiveRequest, archiveTasks } from "../../workspace/archive.ts";
import { defineProjectTool } from "../tool.ts";
import { changeId, count, hint, hintOf, params } from "./params.ts";

const MAX_LISTED = 100;

export const archiveTasksTool = defineProjectTool({
  name: "archive_tasks",
  title: "Archive tasks",
  description:
    "Move done and cancelled tasks to archive/tasks/, which lists and search skip. Links, dependencies and numbers stay valid.",
  access: "write",
  searchHint: "clear done tasks",
  input: () =>
    z.strictObject({
      project: params.project(),
      tasks: params.tasks().describe("Numbers, names or paths"),
      done_before: z.string().optional().describe("All updated before this day, e.g. 2026-01-31"),
      dry_run: z.boolean().default(false).describe("Only list them"),
      restore: z.boolean().default(false).describe("Move archived ones back"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      dry_run: z.boolean().optional(),
      change: changeId(),
      total: count().describe("Tasks that moved"),
      moved: z.array(z.string()).describe("The first 100, by their new paths"),
      links: z.object({ changed: count(), files: count() }),
      hint: hint(),
    }),
  handle: async ({ project, tasks = [], done_before, dry_run, restore }, { workspace }) => {
    if (tasks.length === 0 && done_before === undefined) throw whichTasks();
    const before = done_before === undefined ? undefined : dateOf(done_before);
    const request = { tasks: tasks.length > 0 ? tasks : undefined, before, restore, dryRun: dry_run };
    const { moved, edits, left, change } = await archiveTasks(workspace, project, request);
    const paths = moved.map(({ to }) => to);
    const files = new Set(edits.map(({ path }) => path)).size;
    const unread =
      left.length === 0 ? null : `${counted(left.length, "link")} in files that are not UTF-8 will break.`;
    return {
      success: true,
      ...(dry_run && { dry_run }),
      ...(change !== undefined && { change }),
      total: paths.length,
      moved: paths.slice(0, MAX_LISTED),
      links: { changed: edits.length, files },
      ...hintOf(paths.length === 0 ? nothing(request) : null, unread),
    };
  },
});

function whichTasks(): UserError {
  const message =
    "Which tasks? Give 'tasks', e.g. [\"003\"], or 'done_before', a date: tomorrow's for all that are done or cancelled.";
  return new UserError("INVALID_ARGUMENT", message, { details: { argument: "tasks" } });
}

function dateOf(text: string): string {
  const date = leadingDate(text);
  if (date !== null) return date;
  const message = `'done_before' must be a date such as 2026-01-31, not ${quoteName(text, 40)}.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "done_before" } });
}

function nothing({ tasks, before, restore }: ArchiveRequest): string {
  if (restore) return "No such task is in the archive.";
  if (before === undefined) return "They are in the archive already.";
  return tasks === undefined
    ? "No task is done or cancelled, and old enough."
    : "None of them is old enough.";
}
