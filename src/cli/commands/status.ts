import type { ToolAnswer } from "../../core/mcp/tool.ts";
import { updateTaskStatusTool } from "../../core/mcp/tools/update-task-status.ts";
import { parseTaskNumber, taskName } from "../../core/notes/names.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { taskHere } from "../locate.ts";
import { agentName } from "../person.ts";
import { notifyHint, oneLine, print } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const [word = "", status] = context.words;
  const note = context.options.text("note");
  const args = { ...taskHere(context, word), status, note, agent: await agentName(context) };
  const answer = await callTool(context, updateTaskStatusTool, { args });
  const { previous_status: before, new_status: now } = answer.task;
  print(context, answer, report(answer));
  if (before !== now) notifyHint(context, answer.hint);
  return 0;
}

function report({ task, unblocked }: ToolAnswer<typeof updateTaskStatusTool>): string {
  const { filename, path, previous_status: before, new_status: now } = task;
  if (before === now) return `${parseTaskNumber(filename) ?? oneLine(path)} is already ${now}\n`;
  return `${oneLine(path)}: ${oneLine(before ?? "(no status)")} → ${now}\n${readyNow(unblocked)}`;
}

/** A line for each task that can start now. */
export function readyNow(unblocked: ToolAnswer<typeof updateTaskStatusTool>["unblocked"] = []): string {
  const lines = unblocked.map((task) => `Ready now: ${oneLine(taskName(task))}\n`);
  return lines.join("");
}
