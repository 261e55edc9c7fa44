import { localDate, localTime } from "../lib/clock.ts";
import { appendSession, renderSession, sessionFilename } from "../notes/session-file.ts";
import type { Workspace } from "./workspace.ts";
import { createDocument, readIfExists, replaceDocument } from "./write.ts";

/** Creates today's note, or appends to it with the time. `project` must be as findProject gives it. */
export function logSession(
  workspace: Workspace,
  project: string,
  { content, suffix }: { content: string; suffix?: string | undefined },
) {
  const now = workspace.clock.now();
  const date = localDate(now);
  const filename = sessionFilename(date, suffix);
  const name = { project, folder: "sessions", filename };
  return workspace.locked(project, async (lock) => {
    const note = readIfExists(workspace, name);
    if (note === null) {
      const saved = await createDocument(workspace, name, renderSession(date, content), lock);
      return { ...saved, date, filename, action: "created" as const };
    }
    const text = appendSession(note.text, content, localTime(now));
    const saved = await replaceDocument(workspace, note, { text, lock });
    return { ...saved, date, filename, action: "appended" as const };
  });
}
