import { localDateTime } from "../../core/lib/clock.ts";
import type { ToolAnswer } from "../../core/mcp/tool.ts";
import { claimTaskTool } from "../../core/mcp/tools/claim-task.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { taskHere } from "../locate.ts";
import { projectFlag } from "../next-commands.ts";
import { requireAgentName } from "../person.ts";
import { projectHere } from "../resolve-project.ts";
import { notify, notifyHint, oneLine, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, words, program } = context;
  const [word] = words;
  const named =
    word === undefined ? { project: projectHere(context, options.text("project")) } : taskHere(context, word);
  const { project } = named;
  const args = {
    ...named,
    agent: await requireAgentName(context),
    minutes: options.number("minutes"),
    release: options.has("release"),
    finish: options.has("finish"),
  };
  const answer = await callTool(context, claimTaskTool, { args });
  const { task, reason, hint } = answer;
  print(context, answer, task === null ? "" : report(task));
  notifyHint(context, task === null ? reason : hint);
  if (task?.claimed_until !== undefined) {
    const name = `${quoted(task.number ?? task.filename)}`;
    const of = projectFlag(context, project);
    notify(
      context,
      `Read it: ${program} show ${name}${of}\nWhen it is done: ${program} status ${name} done${of}\n`,
    );
  }
  return task === null ? 1 : 0;
}

type Task = NonNullable<ToolAnswer<typeof claimTaskTool>["task"]>;

function report({ path, title, owner, status, claimed_until: until }: Task): string {
  const held = until && `${oneLine(owner ?? "")} holds it until ${shownTime(until)}.`;
  const state =
    held ??
    `${owner === null ? "Nobody" : oneLine(owner)} holds it; it is ${oneLine(status ?? "without a status")}.`;
  return `${oneLine(path)}: ${oneLine(title)}\n${state}\n`;
}

/** `2026-11-23 14:05`, in local time. */
function shownTime(iso: string): string {
  return localDateTime(new Date(iso)).slice(0, 16).replace("T", " ");
}
