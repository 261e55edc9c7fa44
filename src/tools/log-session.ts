import { z } from "zod";
import { appendSession, renderSession, sessionFilename } from "../domain/session-file.ts";
import { localDate, localTime } from "../lib/clock.ts";
import { defineTool } from "../tool.ts";
import { createDocument, readIfExists, replaceDocument } from "../workspace/write.ts";
import { checkNotBlank } from "./arguments.ts";
import { params } from "./params.ts";

export const logSessionTool = defineTool({
  name: "log_session",
  title: "Log session",
  description:
    "Write to today's session note, made or added to with the time. Use headings Done, Blocked by, Next: the next session starts there.",
  access: "write",
  input: z.strictObject({
    project: params.project,
    content: z.string().describe("Markdown"),
    suffix: z.string().optional().describe("For a note of its own, e.g. debugging-auth"),
    append: z.boolean().optional().describe("Always so when the note exists"),
  }),
  output: z.object({
    success: z.boolean(),
    session: z.object({ filename: z.string(), path: z.string(), action: z.enum(["created", "appended"]) }),
    indexed: z.boolean(),
  }),
  handle: async ({ project: given, content, suffix }, { workspace }) => {
    checkNotBlank("content", content, "Say what was done, what blocks and what comes next.");
    const project = workspace.findProject(given);
    const now = workspace.clock.now();
    const filename = sessionFilename(localDate(now), suffix);
    return workspace.locked(project, async () => {
      const note = readIfExists(workspace, { project, folder: "sessions", filename });
      const { path, indexed } =
        note === null
          ? await createDocument(
              workspace,
              { project, folder: "sessions", filename },
              renderSession(localDate(now), content),
            )
          : await replaceDocument(workspace, note, appendSession(note.text, content, localTime(now)));
      const action = note === null ? "created" : "appended";
      return { success: true, session: { filename, path, action }, indexed } as const;
    });
  },
});
