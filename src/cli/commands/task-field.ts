import { updateTaskTool } from "../../core/mcp/tools/update-task.ts";
import { factsOfField, TASK_FIELDS } from "../../core/notes/task/fields.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { taskHere } from "../locate.ts";
import { agentName } from "../person.ts";
import { typedValue } from "../task-fields.ts";
import { notifyHint, oneLine, print } from "../terminal.ts";
import { readyNow } from "./status.ts";

/** A hyphen removes the value. */
export async function run(context: CommandContext): Promise<number> {
  const { words, clock, command } = context;
  const field = TASK_FIELDS.find((name) => factsOfField(name).command === command) ?? "owner";
  const typed = words[1]?.trim() ?? "";
  const isNone = typed === "-" || typed === "";
  const value = isNone ? null : typedValue(field, typed, clock.now(), ", or - for none");
  const args = { ...taskHere(context, words[0] ?? ""), agent: await agentName(context), [field]: value };
  const answer = await callTool(context, updateTaskTool, { args });
  print(
    context,
    answer,
    `${oneLine(answer.task.path)}: ${field} ${oneLine(String(value ?? "removed"))}\n${readyNow(answer.unblocked)}`,
  );
  notifyHint(context, answer.hint);
  return 0;
}
