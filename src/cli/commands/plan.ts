import { UserError } from "../../core/lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../core/lib/escape.ts";
import { describePlan, planFiles } from "../../core/mcp/tools/get-plan.ts";
import type { DocumentLocation } from "../../core/notes/document.ts";
import { readIfNamed } from "../../core/workspace/read.ts";
import { readTasks } from "../../core/workspace/tasks.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import type { CommandContext } from "../command.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { oneLine, print, quoted } from "../terminal.ts";

export function run(context: CommandContext): Promise<number> {
  const { options, words } = context;
  const project = projectHere(context, words[0]);
  const filename = options.text("file") ?? "execution-plan.md";
  return withWorkspace(context, (workspace) =>
    compare(context, workspace, { project, folder: "plans", filename }),
  );
}

async function compare(
  context: CommandContext,
  workspace: Workspace,
  name: DocumentLocation,
): Promise<number> {
  const document = readIfNamed(workspace.root, name);
  if (document === undefined) throw noPlan(workspace.root, name);
  const answer = describePlan(document, readTasks(workspace, name.project));
  const { actual, drift } = answer;
  const { pending, in_progress, blocked, done } = actual;
  const counts = `Tasks: ${pending} pending, ${in_progress} in progress, ${blocked} blocked, ${done} done.`;
  const correct = `Correct its lists: ${context.program} edit ${quoted(document.path)}`;
  const state =
    drift.length === 0
      ? [answer.hint ?? "The plan agrees with the tasks."]
      : [...drift.map((one) => `- ${oneLine(one)}`), correct];
  print(context, answer, `${[oneLine(document.path), counts, ...state].join("\n")}\n`);
  return drift.length === 0 ? 0 : 1;
}

function noPlan(root: string, { project, filename }: DocumentLocation): UserError {
  const files = planFiles(root, project);
  const next = `Write ${quoteName(`${project}/plans/${filename}`)}, or ask your agent for a plan of the tasks`;
  const others = files.length === 0 ? `no plans yet. ${next}` : `${listNames(files)}: name one with --file`;
  const message = `There is no plan ${quoteName(filename)}. Project ${quoteName(project)} has ${others}.`;
  return new UserError("FILE_NOT_FOUND", message, {
    details: { project, filename: escapeName(filename), suggestions: files },
  });
}
