import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { escapeUnseen } from "../../lib/escape.ts";
import { sessionStart } from "../../workspace/briefing/briefing.ts";
import { MIN_TOKENS } from "../../workspace/briefing/fit.ts";
import type { CurrentProject } from "../../workspace/place/current-project.ts";
import { noProject, projectHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { params } from "./params.ts";

const DEFAULT_TOKENS = 3_000;

export const getBriefingTool = defineTool({
  name: "get_briefing",
  title: "Get briefing",
  description: "Get up to speed: status, plan, open tasks, last session. Next: claim_task.",
  access: "read",
  alwaysLoad: true,
  listsAnswer: true,
  longAnswers: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      here: z.string().optional().describe("Or your folder, absolute"),
      focus: params.nameOrNumber().optional().describe("Task number or words"),
      max_tokens: z.number().int().min(MIN_TOKENS).default(DEFAULT_TOKENS),
    }),
  output: () => z.object({ project: z.string(), text: z.string() }),
  handle: async ({ focus, max_tokens, ...names }, { current, say }) => {
    const project = await findProject(names, current);
    const request = { project, focus, maxTokens: max_tokens };
    return { project, text: escapeUnseen(say(await sessionStart(current.workspace(), request))) };
  },
});

interface Names {
  project?: string | undefined;
  here?: string | undefined;
}

/** Throws INVALID_ARGUMENT, and PROJECT_NOT_FOUND if no project is known. */
async function findProject({ project, here }: Names, current: CurrentProject): Promise<string> {
  if (here === undefined) return projectHere(project, current);
  if (project !== undefined)
    throw new UserError("INVALID_ARGUMENT", "Give 'project' or 'here', not both.", {
      details: { argument: "here" },
    });
  const choice = current.at(here);
  return choice.project ?? noProject(choice, current.workspace().projectNames());
}
