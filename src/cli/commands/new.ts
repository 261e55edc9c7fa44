import { escapeText, listNames } from "../../lib/escape.ts";
import type { ToolAnswer } from "../../mcp/tool.ts";
import { createTaskTool } from "../../mcp/tools/create-task.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHere } from "../resolve-project.ts";
import { notify, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, words, program } = context;
  const project = projectHere(context, options.text("project"));
  const title = words.join(" ");
  const args = {
    project,
    title,
    objective: options.text("objective") ?? title,
    steps: options.texts("step"),
    acceptance_criteria: options.texts("criterion"),
    context: { related_files: options.texts("file"), dependencies: options.texts("after") },
    notes: options.text("notes"),
    status: options.text("status"),
    tags: options.texts("tag"),
  };
  const answer = await callTool(context, createTaskTool, { args });
  print(context, answer, escapeText(`Created ${answer.task.path}\n`));
  for (const step of nextSteps(answer, program, quoted(project))) notify(context, escapeText(`${step}\n`));
  return 0;
}

function nextSteps({ task, missing_dependencies: missing = [] }: Answer, program: string, project: string) {
  const { number, status } = task;
  const setTo = (next: string) => `${program} status ${number} ${next} --project ${project}`;
  const steps =
    missing.length > 0
      ? [`There is no task ${listNames(missing)} to wait for. See the tasks: ${program} tasks ${project}`]
      : [];
  if (status === "in-progress") steps.push(`When it is done: ${setTo("done")}`);
  else if (status !== "done") steps.push(`Start it: ${setTo("in-progress")}`);
  return steps;
}

type Answer = ToolAnswer<typeof createTaskTool>;
