import * as z from "zod";
import { sessionStart } from "../../workspace/briefing/briefing.ts";
import { defineTool } from "../tool.ts";
import { params } from "./params.ts";

export const getBriefingTool = defineTool({
  name: "get_briefing",
  title: "Get briefing",
  description:
    "Get up to speed on a project: status, plan, open tasks in full, last session. Next: update_task_status.",
  access: "read",
  input: () =>
    z.strictObject({
      project: params.project(),
      focus: z.string().optional().describe("Task number or words, e.g. 004"),
    }),
  output: () => z.object({ project: z.string(), text: z.string().describe("Markdown") }),
  handle: async ({ project: name, focus }, { workspace }) => {
    const project = workspace.findProject(name);
    return { project, text: await sessionStart(workspace, { project, focus }) };
  },
});
