import { escapeText } from "../../lib/escape.ts";
import { createTaskTool } from "../../mcp/tools/create-task.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHere } from "../resolve-project.ts";
import { print, quoted } from "../terminal.ts";

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
  const { number, path } = answer.task;
  const next = `Start it: ${program} status ${number} in-progress --project ${quoted(project)}`;
  print(context, answer, escapeText(`Created ${path}\n${next}\n`));
  return 0;
}
