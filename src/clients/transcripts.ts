import { join } from "node:path";
import { writtenAt } from "../storage/inspect.ts";
import { filesBelow } from "../storage/list.ts";
import type { Machine } from "./machine.ts";
import { claudeFolder, codexFolder } from "./table.ts";

/** A client's record of a session on this machine. */
export interface TranscriptFile {
  /** Absolute. */
  file: string;
  written: Date;
}

const MAX_FILES = 100_000;

/** Where clients keep their transcripts, below their own folder; helpers of an agent have folders of their own. */
const PLACES = [
  { home: claudeFolder, folder: "projects", names: /^projects\/[^/]+\/[^/]+\.jsonl$/ },
  { home: codexFolder, folder: "sessions", names: /\/rollout-[^/]+\.jsonl$/ },
  { home: codexFolder, folder: "archived_sessions", names: /\/rollout-[^/]+\.jsonl$/ },
];

/** The transcripts of all clients, oldest first. */
export function transcriptFiles(machine: Machine): TranscriptFile[] {
  const files = PLACES.flatMap(({ home, folder, names }) =>
    filesBelow(home(machine), folder, MAX_FILES)
      .filter((path) => names.test(path))
      .map((path) => join(home(machine), path)),
  );
  return files
    .flatMap((file) => {
      const written = writtenAt(file);
      return written === undefined ? [] : [{ file, written }];
    })
    .sort((one, other) => one.written.getTime() - other.written.getTime());
}
