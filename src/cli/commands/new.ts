import { escapeText } from "../../core/lib/escape.ts";
import { withoutMarkdownExtension } from "../../core/lib/file-names.ts";
import { createTaskTool } from "../../core/mcp/tools/create-task.ts";
import { locateDocument } from "../../core/notes/document.ts";
import { findTask } from "../../core/workspace/find/task.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectFlag } from "../next-commands.ts";
import { projectHere } from "../resolve-project.ts";
import { typedFields } from "../task-fields.ts";
import { notify, notifyHint, print } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, words, program, clock } = context;
  const project = projectHere(context, options.text("project"));
  const title = words.join(" ");
  const args = {
    project,
    title,
    objective: options.text("objective") ?? title,
    steps: options.texts("step"),
    acceptance_criteria: options.texts("criterion"),
    context: { related_files: options.texts("file"), dependencies: tasksBefore(context, project) },
    notes: options.text("notes"),
    status: options.text("status"),
    ...typedFields(options, clock.now()),
  };
  const answer = await callTool(context, createTaskTool, { args });
  print(context, answer, escapeText(`Created ${answer.task.path}\n`));
  notifyHint(context, answer.hint);
  const { number, status: now } = answer.task;
  const next = now === "in-progress" ? "done" : "in-progress";
  const set = `${program} status ${number} ${next}${projectFlag(context, project)}`;
  if (now !== "done") notify(context, `${next === "done" ? "When it is done" : "Start it"}: ${set}\n`);
  return 0;
}

/** The tasks of --after: a number as typed, a path as the name of its task. Throws FILE_NOT_FOUND: a task that waits for none never starts. */
function tasksBefore(context: CommandContext, project: string): string[] {
  return context.options.texts("after").map((word) => {
    const path = findTask(context.config.root, project, word);
    return word.includes("/") ? withoutMarkdownExtension(locateDocument(path)?.filename ?? path) : word;
  });
}
