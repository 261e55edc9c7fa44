import * as z from "zod";
import { listNames } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { plural } from "../../lib/text.ts";
import { isClosed } from "../../notes/task/statuses.ts";
import { createTask } from "../../workspace/project-writes.ts";
import { circleAt, listTasks, type WorkspaceTask } from "../../workspace/tasks.ts";
import { defineProjectTool } from "../tool.ts";
import { lostHint } from "./outdated.ts";
import { params } from "./params.ts";
import { checkTaskTitle, circleHint, doneHint, missingOf, missingResult } from "./task-document.ts";
import { newFields } from "./task-fields.ts";

const texts = () => z.array(z.string()).optional();

export const createTaskTool = defineProjectTool({
  name: "create_task",
  title: "Create task",
  description: "Add a task. context.dependencies decide when it is ready.",
  access: "write",
  searchHint: "add a todo",
  input: () =>
    z.strictObject({
      project: params.project(),
      title: z.string(),
      objective: z.string(),
      steps: texts(),
      acceptance_criteria: texts(),
      context: z
        .strictObject({
          related_files: texts(),
          dependencies: params.tasks().describe("E.g. 003-add-schema"),
        })
        .optional(),
      notes: z.string().optional(),
      status: params.status().prefault("pending"),
      ...newFields(),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      task: z.object({ number: z.string(), filename: z.string(), path: z.string(), status: z.string() }),
      indexed: z.boolean(),
      ...missingResult(),
    }),
  handle: async ({ project, ...task }, { workspace }) => {
    checkTaskTitle(task.title);
    const created = await createTask(workspace, project, task);
    const { number, filename, path, indexed, dependencies, status, notes, unshared } = created;
    const tasks = await listTasks(workspace, project);
    const open = doneHint(created, { before: null, text: created.text });
    const circle = dependencies.length === 0 ? null : circleHint(circleAt(path, tasks));
    const twin = twinHint(tasks, { path, title: task.title });
    const taken =
      unshared === null
        ? null
        : `Other machines do not know of number ${number} yet: ${unshared}. If one of them uses it first, this task may get another, and an answer says so.`;
    const lost = lostHint(workspace, created);
    const hints = [twin, ...notes, open, circle, taken, lost];
    const missing = missingOf(workspace, { project, dependencies }, ...hints);
    return { success: true, task: { number, filename, path, status }, indexed, ...missing };
  },
});

/** Another open task of the same title may be the same work. */
function twinHint(
  tasks: readonly WorkspaceTask[],
  { path, title }: { path: string; title: string },
): string | null {
  const keyOf = (text: string) => pathKey(text.replace(/\s+/g, " ").trim());
  const twins = tasks.filter(
    (task) => task.path !== path && !isClosed(task.status) && keyOf(task.title) === keyOf(title),
  );
  if (twins.length === 0) return null;
  const has = plural(twins.length, "has", "have");
  return `${listNames(twins.map((task) => task.path))} ${has} the same title and ${plural(twins.length, "is", "are")} open: if it is the same work, keep one.`;
}
