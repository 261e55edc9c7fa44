import { closeSync, openSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { HistoryBounds } from "../config/history.ts";
import { attempt } from "../storage/fs-errors.ts";
import { makeHome } from "../storage/lock-folder.ts";
import { withLock } from "../storage/locks.ts";
import { removeAside } from "./aside.ts";
import { type Blob, HISTORY, listBlobs, removeBlob } from "./blobs.ts";
import { readBackwards } from "./read-log.ts";
import type { Change, Operation } from "./record.ts";
import { listDays, removeDays, removePath } from "./record-log.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Not the name of a project. */
const LOCK = ".history";
const STAMP = "pruned";
const PURGED = "purged";
/** What one run removes, of all days or all blobs. */
const MAX_PART = 0.05;
const MIN_DAYS = 1;
const MIN_BLOBS = 16;

/** Whether an hour has passed since any process pruned this history; false if there is none, or it cannot be written. */
export function isPruneDue(root: string, now: number): boolean {
  const folder = join(root, ".vibe-mcp", HISTORY);
  const stamped = attempt(() => statSync(join(folder, STAMP)).mtimeMs);
  if (stamped !== undefined) return Math.abs(now - stamped) > HOUR_MS;
  attempt(() => statSync(folder) && stamp(root, now));
  return false;
}

/**
 * Removes the logs that are too old with the blobs that no other record needs, then the oldest blobs while there are too many
 * bytes; a deleted file's last version stays for its full age. Age counts back from the newest record, and one run removes a
 * small part at most: a wrong clock loses little. Blobs younger than an hour stay: another process may be about to record them.
 */
export async function prune(
  root: string,
  { days, bytes }: Pick<HistoryBounds, "days" | "bytes">,
  pruning: Pruning,
): Promise<void> {
  const { now } = pruning;
  await withLock(root, LOCK, async () => {
    stamp(root, now);
    await removeOldDays(root, days, now);
    const { needed, kept } = await findNeeded(root, pruning.open());
    const blobs = (await listBlobs(root)).sort((a, b) => a.mtime - b.mtime);
    let size = blobs.reduce((sum, blob) => sum + blob.size, 0);
    let left = partOf(blobs.length, MIN_BLOBS);
    for (const blob of blobs.filter((one) => isOld(one, now))) {
      if (left === 0) break;
      if (needed.has(blob.hash) && (size <= bytes || kept.has(blob.hash))) continue;
      removeBlob(root, blob.hash);
      size -= blob.size;
      left--;
    }
  });
}

export interface Pruning {
  /** In milliseconds since 1970. */
  now: number;
  /** The operations that run, or were interrupted. */
  open: () => readonly Operation[];
}

async function removeOldDays(root: string, days: number, now: number): Promise<void> {
  for await (const { time } of readBackwards(root)) {
    const newest = Math.min(now, Date.parse(time));
    const oldest = new Date(newest - days * DAY_MS).toISOString().slice(0, 10);
    const all = listDays(root);
    const old = all.filter(({ date }) => date < oldest).map(({ name }) => name);
    return removeDays(root, old.slice(0, partOf(all.length, MIN_DAYS)));
  }
}

function isOld({ mtime }: Blob, now: number): boolean {
  return now - mtime > HOUR_MS;
}

/** How many of them one run may remove. */
function partOf(count: number, least: number): number {
  return Math.max(Math.floor(count * MAX_PART), least);
}

/**
 * Removes the records and the stored bytes of one path, or all of them; also of changes that did not happen, and old bytes that
 * no record names. What an interrupted operation needs stays.
 */
export async function purge(
  root: string,
  { path, now, open }: Pruning & { path?: string | undefined },
): Promise<void> {
  await withLock(root, LOCK, async () => {
    stamp(root, undefined, PURGED);
    const atPath = new Set(path === undefined ? [] : await hashesAt(root, path));
    if (path !== undefined) await removePath(root, path);
    else
      removeDays(
        root,
        listDays(root).map(({ name }) => name),
      );
    if (path === undefined) removeAside(root);
    const { needed } = await findNeeded(root, open());
    for (const blob of await listBlobs(root)) {
      const isMeant = path === undefined || atPath.has(blob.hash) || isOld(blob, now);
      if (isMeant && !needed.has(blob.hash)) removeBlob(root, blob.hash);
    }
  });
}

/** When anything was last purged, in milliseconds since 1970. */
export function purgedAt(root: string): number {
  return attempt(() => statSync(join(root, ".vibe-mcp", HISTORY, PURGED)).mtimeMs) ?? 0;
}

async function hashesAt(root: string, path: string): Promise<string[]> {
  const changes: Change[] = [];
  for await (const operation of readBackwards(root, { voided: true }))
    changes.push(...operation.changes.filter((change) => change.path === path));
  return hashesOf([{ changes }]);
}

/** Without a time, that of the disk. */
function stamp(root: string, now: number | undefined, name = STAMP): void {
  const folder = makeHome(root, [HISTORY]);
  const file = join(folder.file, name);
  // Another user's file would not let its time be set.
  attempt(() => unlinkSync(file));
  closeSync(openSync(file, "a"));
  if (now !== undefined) utimesSync(file, now / 1000, now / 1000);
}

function hashesOf(operations: readonly Pick<Operation, "changes">[]): string[] {
  const hashes = operations.flatMap(({ changes }) => changes.flatMap(({ before, after }) => [before, after]));
  return hashes.filter((hash) => hash !== null);
}

/** The bytes that records or open operations need, and of those the last version of each file that was removed and not made again. */
async function findNeeded(root: string, open: readonly Operation[]) {
  const opened = hashesOf(open);
  const [needed, kept] = [new Set(opened), new Set(opened)];
  const seen = new Set<string>();
  for await (const operation of readBackwards(root)) {
    for (const hash of hashesOf([operation])) needed.add(hash);
    for (const { path, before, after } of operation.changes.reverse()) {
      if (!seen.has(path) && after === null && before !== null) kept.add(before);
      seen.add(path);
    }
  }
  return { needed, kept };
}
