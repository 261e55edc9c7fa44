import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { sessionStart } from "../../workspace/briefing/briefing.ts";
import type { CurrentProject } from "../../workspace/place/current-project.ts";
import { noProject, projectHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { params } from "./params.ts";

/** The prompt may be longer: clients cut answers of tools sooner. */
const MAX_CHARS = 39_000;

export const getBriefingTool = defineTool({
  name: "get_briefing",
  title: "Get briefing",
  description:
    "Get up to speed on a project: status, plan, open tasks in full, last session. Next: claim_task.",
  access: "read",
  alwaysLoad: true,
  listsAnswer: true,
  longAnswers: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      here: z.string().optional().describe("Or your folder, absolute"),
      focus: params.nameOrNumber().optional().describe("Task number or words, e.g. 004"),
    }),
  output: () => z.object({ project: z.string(), text: z.string().describe("Markdown") }),
  handle: async ({ focus, ...names }, { current, say }) => {
    const project = await findProject(names, current);
    return {
      project,
      text: say(await sessionStart(current.workspace(), { project, focus, maxChars: MAX_CHARS })),
    };
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
