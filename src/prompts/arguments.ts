import { withoutMarkdownExtension } from "../domain/names.ts";
import { listTasks } from "../workspace/tasks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { PromptArgument } from "./prompt.ts";

export const projectArgument: PromptArgument = {
  name: "project",
  description: "Name of the project, e.g. payments-api",
  required: true,
  values: (workspace) => workspace.projectNames(),
};

export const focusArgument: PromptArgument = {
  name: "focus",
  description: "What to work on: a task by number or name (004), or free words (card payments)",
  required: false,
  values: (workspace, known) => taskNames(workspace, known["project"]),
};

const ORDER = ["in-progress", "blocked", "pending"];

/** The tasks that are open before those that are done; none while no project is chosen. */
async function taskNames(workspace: Workspace, name: string | undefined): Promise<string[]> {
  const project = workspace.projectNames().find((known) => known.toLowerCase() === name?.toLowerCase());
  if (project === undefined) return [];
  const tasks = await listTasks(workspace, project);
  const rank = (status: string | null) =>
    (ORDER.indexOf(status ?? "") + ORDER.length + 1) % (ORDER.length + 1);
  const sorted = tasks.sort((a, b) => rank(a.status) - rank(b.status));
  return sorted.map(({ filename }) => withoutMarkdownExtension(filename));
}
