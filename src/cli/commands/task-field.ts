import { updateTaskTool } from "../../mcp/tools/update-task.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { dayFrom } from "../days.ts";
import { taskHere } from "../locate.ts";
import { agentName } from "../person.ts";
import { notifyHint, oneLine, print } from "../terminal.ts";
import { readyNow } from "./status.ts";

type Field = "owner" | "priority" | "due";

export function assign(context: CommandContext): Promise<number> {
  return setField(context, "owner", typedValue(context));
}

export function prioritize(context: CommandContext): Promise<number> {
  return setField(context, "priority", typedValue(context));
}

export function setDue(context: CommandContext): Promise<number> {
  const typed = typedValue(context);
  const due = typed === null ? null : dayFrom(context.clock.now(), typed, ", or - for none");
  return setField(context, "due", due);
}

/** The value as typed; null for a hyphen, which removes the field. */
function typedValue({ words }: CommandContext): string | null {
  const typed = words[1]?.trim() ?? "";
  return typed === "-" || typed === "" ? null : typed;
}

async function setField(context: CommandContext, field: Field, value: string | null): Promise<number> {
  const args = { ...taskHere(context, context.words[0] ?? ""), agent: agentName(context), [field]: value };
  const answer = await callTool(context, updateTaskTool, { args });
  print(
    context,
    answer,
    `${oneLine(answer.task.path)}: ${field} ${oneLine(value ?? "removed")}\n${readyNow(answer.unblocked)}`,
  );
  notifyHint(context, answer.hint);
  return 0;
}
