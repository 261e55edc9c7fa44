import * as z from "zod";
import { defineTool } from "../tool.ts";
import { sessionStart } from "../workspace/briefing/briefing.ts";
import { params } from "./params.ts";

export const getBriefingTool = defineTool({
  name: "get_briefing",
  title: "Get briefing",
  description:
    "Get up to speed: status, plan, open tasks in full, last session, decisions, suggested actions.",
  access: "read",
  input: () =>
    z.strictObject({
      project: params.project(),
      focus: z.string().optional().describe("Task (004) or words"),
    }),
  output: () => z.object({ project: z.string(), text: z.string().describe("Markdown") }),
  handle: async ({ project: given, focus }, { workspace }) => {
    const project = workspace.findProject(given);
    return { project, text: await sessionStart(workspace, { project, focus }) };
  },
});
