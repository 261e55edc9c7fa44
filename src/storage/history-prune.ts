import { closeSync, openSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { attempt, succeeds } from "./fs-errors.ts";
import { type Blob, HISTORY, listBlobs, removeBlob } from "./history-blobs.ts";
import { readJournal } from "./history-journal.ts";
import { type Operation, readLog, removeDays, removePath } from "./history-log.ts";
import { makeHome } from "./lock-folder.ts";
import { withLock } from "./locks.ts";
import { closePlace } from "./place.ts";

/** How much of the history stays. */
export interface Bounds {
  days: number;
  bytes: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Not the name of a project. */
const LOCK = ".history";
const STAMP = "pruned";

/** Whether an hour has passed since any process pruned this history; false if there is none. */
export function isPruneDue(root: string, now: number): boolean {
  const folder = join(root, ".vibe-mcp", HISTORY);
  const stamped = attempt(() => statSync(join(folder, STAMP)).mtimeMs);
  if (stamped !== undefined) return Math.abs(now - stamped) > HOUR_MS;
  if (succeeds(() => statSync(folder))) stamp(root, now);
  return false;
}

/**
 * Removes the logs that are too old with the blobs that no other record needs, then the oldest blobs while there are too many
 * bytes; a deleted file's last version stays for its full age. Blobs younger than an hour stay: another process may be about to
 * record them.
 */
export async function prune(root: string, { days, bytes }: Bounds, now: number): Promise<void> {
  await withLock(root, LOCK, async () => {
    stamp(root, now);
    removeDays(root, new Date(now - days * DAY_MS).toISOString().slice(0, 10));
    const { operations } = readLog(root);
    const open = readJournal(root);
    const needed = new Set([...hashesOf(operations), ...hashesOf(open)]);
    const kept = new Set([...lastOfDeleted(operations), ...hashesOf(open)]);
    const blobs = listBlobs(root).sort((a, b) => a.mtime - b.mtime);
    let size = blobs.reduce((sum, blob) => sum + blob.size, 0);
    const isOld = ({ mtime }: Blob) => now - mtime > HOUR_MS;
    for (const blob of blobs.filter(isOld)) {
      if (needed.has(blob.hash) && (size <= bytes || kept.has(blob.hash))) continue;
      removeBlob(root, blob.hash);
      size -= blob.size;
    }
  });
}

/** Removes the records and the stored bytes of one path, or all of them. What an interrupted operation needs stays. */
export async function purge(root: string, path?: string): Promise<void> {
  const of = (operations: readonly Operation[]) =>
    operations.map(({ changes }) => ({ changes: changes.filter((change) => change.path === path) }));
  const removed =
    path === undefined ? listBlobs(root).map(({ hash }) => hash) : hashesOf(of(readLog(root).operations));
  await withLock(root, LOCK, async () => {
    if (path === undefined) removeDays(root);
    else await removePath(root, path);
    const needed = new Set(hashesOf([...readLog(root).operations, ...readJournal(root)]));
    for (const hash of removed) if (!needed.has(hash)) removeBlob(root, hash);
  });
}

function stamp(root: string, now: number): void {
  const { folder } = makeHome(root, [HISTORY]);
  try {
    const file = join(folder.at, STAMP);
    // Of another user, its time could not be set.
    attempt(() => unlinkSync(file));
    closeSync(openSync(file, "a"));
    utimesSync(file, now / 1000, now / 1000);
  } finally {
    closePlace(folder);
  }
}

function hashesOf(operations: readonly Pick<Operation, "changes">[]): string[] {
  const hashes = operations.flatMap(({ changes }) => changes.flatMap(({ before, after }) => [before, after]));
  return hashes.filter((hash) => hash !== null);
}

/** The last version of each file that was removed and not made again. */
function lastOfDeleted(operations: readonly Operation[]): string[] {
  const last = new Map<string, string | null>();
  for (const { changes } of operations)
    for (const { path, before, after } of changes) last.set(path, after === null ? before : null);
  return [...last.values()].filter((hash) => hash !== null);
}
