import * as z from "zod";
import { logSession } from "../../workspace/project-writes.ts";
import { ADDED_BEFORE } from "../again.ts";
import { checkNotBlank } from "../arguments.ts";
import { defineProjectTool } from "../tool.ts";
import { hint, hintOf, params } from "./params.ts";

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
      hint: hint(),
    }),
  handle: async ({ project, content, suffix }, { workspace, again }) => {
    checkNotBlank("content", content, "Say what was done, what blocks and what comes next.");
    const logged = await logSession(workspace, project, { content, suffix }, again);
    const { filename, path, action, indexed, isAgain } = logged;
    return {
      success: true,
      session: { filename, path, action },
      indexed,
      ...hintOf(isAgain ? ADDED_BEFORE : null),
    };
  },
});
