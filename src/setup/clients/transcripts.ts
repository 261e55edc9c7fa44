import { join } from "node:path";
import { type Fields, stringOf } from "../../core/lib/fields.ts";
import { inspectPath, writtenAt } from "../../core/storage/inspect.ts";
import { filesBelow } from "../../core/storage/list.ts";
import type { Machine } from "./machine.ts";
import { CLIENTS, copilotFolder } from "./table.ts";

const MAX_FILES = 100_000;

/** The transcript that a client names in what it gives its hook; `""` if it names none. Copilot CLI names only the session. */
export function hookTranscript(given: Fields, machine: Machine): string {
  const file = stringOf(given["transcript_path"]);
  const session = stringOf(given["session_id"]);
  if (file !== "" || !/^[\w-]{1,100}$/.test(session)) return file;
  const events = join(copilotFolder(machine), "session-state", session, "events.jsonl");
  return inspectPath(events).kind === "file" ? events : "";
}

/** The transcripts of all clients, absolute, newest first. */
export function transcriptFiles(machine: Machine): string[] {
  const files = CLIENTS.flatMap(({ transcripts = [] }) => transcripts).flatMap(({ home, folder, names }) =>
    filesBelow(home(machine), folder, MAX_FILES)
      .filter((path) => names.test(path))
      .map((path) => join(home(machine), path)),
  );
  return files
    .map((file) => ({ file, written: writtenAt(file)?.getTime() ?? 0 }))
    .sort((one, other) => other.written - one.written)
    .map(({ file }) => file);
}
