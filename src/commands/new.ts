import { TASK_STATUSES } from "../domain/status.ts";
import { callTool } from "./call.ts";
import type { Command } from "./command.ts";
import { projectHere } from "./here.ts";
import { JSON_OPTION, PROJECT_OPTION } from "./options.ts";
import { asJson, printable, quoted } from "./paint.ts";

export const newCommand: Command = {
  name: "new",
  summary: "Create a task with the next number.",
  words: [{ name: "title", help: "a title", required: true, many: true }],
  options: [
    PROJECT_OPTION,
    { flag: "objective", value: "text", help: "What it is for, one paragraph (the title)." },
    { flag: "step", value: "text", help: "A step; again for each further one.", many: true },
    { flag: "criterion", value: "text", help: "When it is done; again for each further one.", many: true },
    {
      flag: "after",
      value: "task",
      help: "A task before it, e.g. 003; again for each further one.",
      many: true,
      values: "task",
    },
    {
      flag: "file",
      value: "path",
      help: "A file it is about; again for each further one.",
      many: true,
      values: "file",
    },
    { flag: "tag", value: "tag", help: "A tag; again for each further one.", many: true },
    { flag: "notes", value: "text", help: "Anything else." },
    {
      flag: "status",
      value: "status",
      help: `${TASK_STATUSES.join(", ")} (pending).`,
      values: TASK_STATUSES,
    },
    JSON_OPTION,
  ],
  example: 'new "Add login" --project payments-api --step "Write the form" --after 003',
  run: async (context) => {
    const { options, terminal, words, program } = context;
    const { createTaskTool } = await import("../tools/create-task.ts");
    const project = await projectHere(context, options.text("project"));
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
    terminal.stdout.write(options.has("json") ? asJson(answer) : printable(`Created ${path}\n${next}\n`));
    return 0;
  },
};
