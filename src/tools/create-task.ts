import * as z from "zod";
import { defineTool } from "../tool.ts";
import { createTask } from "../workspace/task-writes.ts";
import { checkNotBlank } from "./arguments.ts";
import { params } from "./params.ts";

const texts = () => z.array(z.string()).optional();

export const createTaskTool = defineTool({
  name: "create_task",
  title: "Create task",
  description:
    "Create a task with the next number in the standard format. dependencies tell list_tasks what is ready.",
  access: "write",
  input: () =>
    z.strictObject({
      project: params.project(),
      title: z.string().describe("E.g. Add login"),
      objective: z.string().describe("One paragraph"),
      steps: texts().describe("In order"),
      acceptance_criteria: texts().describe("When it is done"),
      context: z
        .strictObject({
          related_files: texts().describe("E.g. src/login.ts"),
          dependencies: texts().describe("Tasks before it, e.g. 003-add-schema"),
        })
        .optional()
        .describe("Its surroundings"),
      notes: z.string().optional().describe("Anything else"),
      status: params.status().describe("Default: pending"),
      tags: texts().describe("E.g. backend"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      task: z.object({ number: z.string(), filename: z.string(), path: z.string(), status: z.string() }),
      indexed: z.boolean(),
    }),
  handle: async ({ project: given, status = "pending", ...task }, { workspace }) => {
    checkNotBlank("title", task.title, "Say in a few words what is to be done.");
    const project = workspace.findProject(given);
    const { number, filename, path, indexed } = await createTask(workspace, project, { ...task, status });
    return { success: true, task: { number, filename, path, status }, indexed };
  },
});
