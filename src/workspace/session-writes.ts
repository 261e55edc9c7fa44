import { appendSession, renderSession, sessionFilename } from "../domain/session-file.ts";
import { localDate, localTime } from "../lib/clock.ts";
import type { Workspace } from "./workspace.ts";
import { createDocument, readIfExists, replaceDocument, type Saved } from "./write.ts";

/** The note that was just written to. */
export interface LoggedSession extends Saved {
  /** `YYYY-MM-DD`, today. */
  date: string;
  filename: string;
  action: "created" | "appended";
}

/** Makes today's note, or adds to it with the time; what is there is never replaced. `project` is as findProject gives it. */
export function logSession(
  workspace: Workspace,
  project: string,
  { content, suffix }: { content: string; suffix?: string | undefined },
): Promise<LoggedSession> {
  const now = workspace.clock.now();
  const date = localDate(now);
  const filename = sessionFilename(date, suffix);
  const name = { project, folder: "sessions", filename };
  return workspace.locked(project, async (lock) => {
    const note = readIfExists(workspace, name);
    if (note === null) {
      const saved = await createDocument(workspace, name, renderSession(date, content), lock);
      return { ...saved, date, filename, action: "created" };
    }
    const text = appendSession(note.text, content, localTime(now));
    return {
      ...(await replaceDocument(workspace, note, { text, lock })),
      date,
      filename,
      action: "appended",
    };
  });
}
