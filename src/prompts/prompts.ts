import { withoutMarkdownExtension } from "../domain/names.ts";
import { projectBriefing, sessionStart } from "../workspace/briefing/briefing.ts";
import { matchProject } from "../workspace/locate.ts";
import { listTasks } from "../workspace/tasks.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
  /** All values it can take, the likeliest first, given what is filled in already. */
  values: (workspace: Workspace, known: Record<string, string>) => string[] | Promise<string[]>;
}

/** One prompt as a value: the server and the documentation derive theirs from it. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
  /** The text; `project` is a name that exists. */
  render: (workspace: Workspace, args: { project: string; focus?: string | undefined }) => Promise<string>;
}

const project: PromptArgument = {
  name: "project",
  description: "Name of the project, e.g. payments-api",
  required: true,
  values: (workspace) => workspace.projectNames(),
};

const focus: PromptArgument = {
  name: "focus",
  description: "What to work on: a task by number or name (004), or free words (card payments)",
  required: false,
  values: (workspace, known) => taskNames(workspace, known["project"]),
};

export const allPrompts: readonly Prompt[] = [
  {
    name: "project_briefing",
    title: "Project briefing",
    description:
      "Get me up to speed on a project: numbers, status, active, blocked and pending tasks, last sessions, decisions.",
    arguments: [project],
    render: (workspace, { project }) => projectBriefing(workspace, project),
  },
  {
    name: "session_start",
    title: "Session start",
    description:
      "Everything needed to start working on a project, or on one task of it: the briefing with the plan and the full text of " +
      "open tasks, related files, the last session and suggested actions.",
    arguments: [project, focus],
    render: sessionStart,
  },
];

const ORDER = ["in-progress", "blocked", "pending"];

/** The tasks that are open before those that are done; none while no project is chosen. */
async function taskNames(workspace: Workspace, name: string | undefined): Promise<string[]> {
  const project = matchProject(workspace.projectNames(), name ?? "");
  if (project === undefined) return [];
  const tasks = await listTasks(workspace, project);
  const rank = (status: string | null) =>
    (ORDER.indexOf(status ?? "") + ORDER.length + 1) % (ORDER.length + 1);
  const sorted = tasks.sort((a, b) => rank(a.status) - rank(b.status));
  return sorted.map(({ filename }) => withoutMarkdownExtension(filename));
}
