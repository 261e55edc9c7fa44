import * as z from "zod";
import { TASK_STATUSES } from "../../notes/task/statuses.ts";
import { createTask } from "../../workspace/project-writes.ts";
import { circleAt, listTasks } from "../../workspace/tasks.ts";
import { defineProjectTool } from "../tool.ts";
import { params } from "./params.ts";
import { checkTaskTitle, circleHint, doneHint, missingOf, missingResult } from "./task-document.ts";

const texts = () => z.array(z.string()).optional();

export const createTaskTool = defineProjectTool({
  name: "create_task",
  title: "Create task",
  description: "Add a task under the next free number. context.dependencies decide when it is ready.",
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
          dependencies: texts().describe("E.g. 003-add-schema"),
        })
        .optional(),
      notes: z.string().optional(),
      status: z.enum(TASK_STATUSES).default("pending"),
      tags: z.array(z.string()).default([]),
      priority: params.priority(),
      owner: z.string().optional(),
      due: params.due().optional().describe("YYYY-MM-DD"),
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
    const { number, filename, path, indexed, dependencies, status, notes } = created;
    const tasks = dependencies.length === 0 ? [] : await listTasks(workspace, project);
    const open = doneHint(created, { before: null, text: created.text });
    const circle = circleHint(circleAt(path, tasks));
    const missing = missingOf(workspace, { project, dependencies }, ...notes, open, circle);
    return { success: true, task: { number, filename, path, status }, indexed, ...missing };
  },
});
