import { readdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFlushed } from "./flush.ts";
import { attempt, ifPresent } from "./fs-errors.ts";
import { HISTORY } from "./history-blobs.ts";
import { type Operation, parseRecord } from "./history-log.ts";
import { findHome, makeHome, makeLocksFolder } from "./lock-folder.ts";
import { closePlace } from "./place.ts";
import { readIfPresent } from "./read.ts";
import { temporaryFor } from "./temp-files.ts";

// One file for each operation that changes several files, from before its first change until after its last.
const JOURNAL = "journal";
const MOST_BYTES = 2 ** 26;

/** Notes an operation before it changes its files, flushed: a crash leaves the note. */
export async function openJournal(root: string, operation: Operation): Promise<void> {
  const { folder, like } = makeHome(root, [HISTORY, JOURNAL]);
  const file = join(folder.at, `${operation.id}.json`);
  const staging = makeLocksFolder(root).folder;
  const temporary = temporaryFor(join(staging.at, operation.id));
  try {
    await writeFlushed(temporary, [Buffer.from(JSON.stringify(operation))], { mode: like.mode & 0o666 });
    renameSync(temporary, file);
  } finally {
    attempt(() => unlinkSync(temporary));
    closePlace(staging);
    closePlace(folder);
  }
}

export function closeJournal(root: string, id: string): void {
  const folder = findHome(root, [HISTORY, JOURNAL]);
  if (folder === undefined) return;
  try {
    ifPresent(() => unlinkSync(join(folder.at, `${id}.json`)));
  } finally {
    closePlace(folder);
  }
}

/** The operations that run now, or were interrupted. Every write looks, so nothing is opened if there is none. */
export function readJournal(root: string): Operation[] {
  const names = attempt(() => readdirSync(join(root, ".vibe-mcp", HISTORY, JOURNAL))) ?? [];
  if (names.length === 0) return [];
  const folder = findHome(root, [HISTORY, JOURNAL]);
  if (folder === undefined) return [];
  try {
    return names
      .filter((name) => /^[0-9a-f]{12}\.json$/.test(name))
      .flatMap((name) => {
        const text = attempt(() => readIfPresent(join(folder.at, name), MOST_BYTES)?.toString("utf8"));
        const record = parseRecord(text ?? "");
        return record === undefined || "void" in record || `${record.id}.json` !== name ? [] : [record];
      });
  } finally {
    closePlace(folder);
  }
}
