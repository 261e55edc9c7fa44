import { TASK_STATUSES } from "../domain/status.ts";
import { callTool } from "./call.ts";
import type { Command } from "./command.ts";
import { projectHere } from "./here.ts";
import { JSON_OPTION, PROJECT_OPTION } from "./options.ts";
import { asJson, oneLine } from "./paint.ts";

export const statusCommand: Command = {
  name: "status",
  summary: "Set the status of a task.",
  words: [
    { name: "task", help: "a task, by number or file name", required: true, values: "task" },
    { name: "status", help: `a status: ${TASK_STATUSES.join(", ")}`, required: true, values: TASK_STATUSES },
  ],
  options: [PROJECT_OPTION, JSON_OPTION],
  example: "status 004 in-progress --project payments-api",
  run: async (context) => {
    const { options, terminal, words } = context;
    const { updateTaskStatusTool } = await import("../tools/update-task-status.ts");
    const project = await projectHere(context, options.text("project"));
    const answer = await callTool(context, updateTaskStatusTool, {
      args: { project, task: words[0], status: words[1] },
    });
    const { path, previous_status, new_status } = answer.task;
    const change = `${oneLine(path)}: ${oneLine(previous_status ?? "(no status)")} → ${new_status}\n`;
    terminal.stdout.write(options.has("json") ? asJson(answer) : change);
    return 0;
  },
};
