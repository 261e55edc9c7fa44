import * as z from "zod";
import { logSession } from "../../workspace/project-writes.ts";
import { checkNotBlank } from "../arguments.ts";
import { defineProjectTool } from "../tool.ts";
import { params } from "./params.ts";

export const logSessionTool = defineProjectTool({
  name: "log_session",
  title: "Log session",
  description:
    "Log your work in today's note when you stop, under Done, Blocked by and Next: the next briefing starts there.",
  access: "write",
  searchHint: "session notes, handover",
  input: () =>
    z.strictObject({
      project: params.project(),
      content: z.string().describe("Markdown"),
      append: z.boolean().optional().describe("Always so"),
      suffix: z.string().optional().describe("For a separate note, e.g. debugging-auth"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      session: z.object({ filename: z.string(), path: z.string(), action: z.enum(["created", "appended"]) }),
      indexed: z.boolean(),
    }),
  handle: async ({ project, content, suffix }, { workspace }) => {
    checkNotBlank("content", content, "Say what was done, what blocks and what comes next.");
    const { filename, path, action, indexed } = await logSession(workspace, project, { content, suffix });
    return { success: true, session: { filename, path, action }, indexed };
  },
});
