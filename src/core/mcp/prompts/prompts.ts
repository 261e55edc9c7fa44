import * as z from "zod";
import { once } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeUnseen, listedName, quoteName } from "../../lib/escape.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import { inWorkOrder } from "../../notes/task/order.ts";
import { projectBriefing, type SessionRequest, sessionStart } from "../../workspace/briefing/briefing.ts";
import { MIN_TOKENS } from "../../workspace/briefing/fit.ts";
import { matchName } from "../../workspace/find/entries.ts";
import { listTasks } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { parseArguments } from "../arguments.ts";
import type { Say } from "../words.ts";
import { reviewNotes } from "./review-notes.ts";

export interface PromptArgument {
  name: "project" | "focus" | "max_tokens";
  description: string;
  required: boolean;
  /** All possible values, the most likely first; `context` holds the other arguments so far. */
  values: (workspace: Workspace, context: Record<string, string>) => string[] | Promise<string[]>;
}

/** One prompt as a value, for the server and the documentation. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
  /** `project` must exist. */
  render: (workspace: Workspace, args: SessionRequest) => Promise<string>;
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
  values: (workspace, context) => taskNames(workspace, context["project"]),
};

const maxTokens: PromptArgument = {
  name: "max_tokens",
  description: `Maximum length in tokens, at least ${MIN_TOKENS} (default: all, up to 60,000 characters)`,
  required: false,
  values: () => ["1000", "3000", "10000"],
};

export const allPrompts: readonly Prompt[] = [
  {
    name: "project_briefing",
    title: "Project briefing",
    description:
      "Get me up to speed on a project: numbers, status, active, blocked and pending tasks, last sessions, decisions.",
    arguments: [project, maxTokens],
    render: projectBriefing,
  },
  {
    name: "session_start",
    title: "Session start",
    description:
      "Everything needed to start working on a project, or on one task of it: the briefing with the plan and the full text of " +
      "open tasks, related files, the last session and suggested actions.",
    arguments: [project, focus, maxTokens],
    render: sessionStart,
  },
  {
    name: "review_notes",
    title: "Review notes",
    description:
      "Go through the notes that name what the project's repository no longer has: correct or confirm each.",
    arguments: [project],
    render: reviewNotes,
  },
];

/** Open tasks before done ones; none while no project is chosen. */
async function taskNames(workspace: Workspace, name: string | undefined): Promise<string[]> {
  const project = matchName(workspace.projectNames(), name ?? "");
  if (project === undefined) return [];
  const tasks = inWorkOrder(await listTasks(workspace, project));
  return tasks.map(({ filename }) => withoutMarkdownExtension(filename));
}

interface PromptContext {
  workspace: Workspace;
  prompts: readonly Prompt[];
}

/** Throws INVALID_ARGUMENT and PROJECT_NOT_FOUND, naming what exists. */
export async function getPrompt(
  { workspace, prompts, say }: PromptContext & { say: Say },
  name: string,
  args: unknown,
) {
  const prompt = findPrompt(prompts, name);
  const given = parseArguments(inputOf(prompt), args);
  const project = workspace.findProject(given.project);
  const focus = given.focus?.trim() || undefined;
  const text = escapeUnseen(
    say(await prompt.render(workspace, { project, focus, maxTokens: given.max_tokens })),
  );
  const content = { type: "text" as const, text };
  return {
    description: `${prompt.title}: ${listedName(project)}`,
    messages: [{ role: "user" as const, content }],
  };
}

/** The arguments of all prompts. */
const allArguments = once(() =>
  z.strictObject({
    project: z.string(),
    focus: z.string().optional(),
    max_tokens: z.number().int().min(MIN_TOKENS).optional(),
  }),
);

/** Those that a prompt takes. */
function inputOf({ name, arguments: own }: Prompt) {
  const taken = Object.fromEntries(own.map((argument) => [argument.name, true as const]));
  const input = allArguments().pick(taken as Record<PromptArgument["name"], true>);
  return { name, access: "read" as const, input };
}

/** All possible values of an argument. */
export async function completePrompt(
  { workspace, prompts }: PromptContext,
  name: string,
  { argument, context }: { argument: string; context: Record<string, string> },
): Promise<string[]> {
  const prompt = findPrompt(prompts, name);
  const { values } = prompt.arguments.find(({ name }) => name === argument) ?? {};
  if (values === undefined)
    throw new UserError("INVALID_ARGUMENT", `${name} has no ${quoteName(argument, 100)} to complete.`);
  return values(workspace, context);
}

function findPrompt(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  const names = prompts.map((candidate) => candidate.name);
  const message = `This server has no prompt ${quoteName(name, 100)}. It has: ${names.join(", ")}.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { suggestions: nearest(name, names) } });
}
