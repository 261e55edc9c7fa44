import { updateTaskStatusTool } from "../../mcp/tools/update-task-status.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHere } from "../resolve-project.ts";
import { oneLine, print } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const [task, status] = context.words;
  const project = projectHere(context, context.options.text("project"));
  const answer = await callTool(context, updateTaskStatusTool, { args: { project, task, status } });
  const { path, previous_status, new_status } = answer.task;
  print(context, answer, `${oneLine(path)}: ${oneLine(previous_status ?? "(no status)")} → ${new_status}\n`);
  return 0;
}
