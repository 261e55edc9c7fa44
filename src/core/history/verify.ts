import type { HistoryBounds } from "../config/history.ts";
import { pauses } from "../lib/pauses.ts";
import { presentContent } from "../storage/change-file.ts";
import { attempt } from "../storage/fs-errors.ts";
import { gateOf } from "../storage/path-gate.ts";
import { type FileContent, isZeros, readScanned } from "../storage/read.ts";
import { scanWorkspace } from "../storage/walk.ts";
import { listBlobs, readBlob } from "./blobs.ts";
import { readBackwards } from "./read-log.ts";
import type { Change } from "./record.ts";

/** Something of a file, on the day on which it was recorded. */
export interface Dated {
  path: string;
  day: string;
}

export interface Verified {
  /** Changes in the log, and bytes of old texts. */
  changes: number;
  bytes: number;
  /** Lines of the log that are no records. */
  lines: number;
  /** The hashes of stored texts that are not what was stored. */
  damaged: string[];
  /** Old texts that were not pruned and are not there. */
  missing: Dated[];
  /** Changes that no record has: other programs made them, or their lines are gone. */
  outside: Dated[];
  /** Files that lost the text of their newest change; the text of one that is `gone` is in no other note either. */
  lost: (Dated & { state: "gone" | "empty" | "zeros" })[];
  /** Paths whose file was removed on record. */
  removed: Set<string>;
}

type Newest = Pick<Change, "before" | "after"> & { day: string };

export interface Verifying {
  /** So many of the newest texts and files are read. */
  most?: number;
  /** Called after each. */
  onFile?: ((done: number, total: number) => void) | undefined;
}

/** Checks that the history is whole, and that files are what it says. */
export async function verifyHistory(
  root: string,
  bounds: Pick<HistoryBounds, "bytes">,
  { most = Number.POSITIVE_INFINITY, onFile }: Verifying = {},
): Promise<Verified> {
  const blobs = await listBlobs(root);
  const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
  const log = await readLog(root, new Set(blobs.map(({ hash }) => hash)));
  const newest = blobs.sort((a, b) => b.mtime - a.mtime).slice(0, most);
  const files = [...log.newest].slice(0, most);
  const damaged: string[] = [];
  let done = 0;
  const pause = pauses();
  for (const { hash } of newest) {
    if (readBlob(root, hash) === "damaged") damaged.push(hash);
    onFile?.(++done, newest.length + files.length);
    await pause();
  }
  const found = await checkFiles(root, files, () => onFile?.(++done, newest.length + files.length));
  const removed = [...log.newest].flatMap(([path, { after }]) => (after === null ? [path] : []));
  return {
    changes: log.changes,
    bytes,
    lines: log.lines,
    damaged,
    // Of a history near its limit, old texts were pruned.
    missing: bytes > 0.75 * bounds.bytes ? [] : log.missing,
    outside: [...log.outside, ...found.outside],
    lost: found.lost,
    removed: new Set(removed),
  };
}

/** The chain of each path, from its newest change back. */
async function readLog(root: string, stored: ReadonlySet<string>) {
  const log = { changes: 0, lines: 0, missing: [] as Dated[], outside: [] as Dated[] };
  const newest = new Map<string, Newest>();
  const next = new Map<string, Newest>();
  const onDamage = () => void log.lines++;
  for await (const { time, changes } of readBackwards(root, { onDamage })) {
    const day = time.slice(0, 10);
    log.changes++;
    for (const { path, before, after } of changes.toReversed()) {
      const newer = next.get(path);
      if (newer === undefined) newest.set(path, { before, after, day });
      else if (!isEither(newer.before, { before, after })) log.outside.push({ path, day: newer.day });
      if (before !== null && !stored.has(before)) log.missing.push({ path, day });
      next.set(path, { before, after, day });
    }
  }
  return { ...log, newest };
}

/** A change whose process was killed did not happen. */
function isEither(hash: string | null, { before, after }: Pick<Change, "before" | "after">): boolean {
  return hash === after || hash === before;
}

async function checkFiles(root: string, newest: readonly [string, Newest][], onFile: () => void) {
  const lost: Verified["lost"] = [];
  const outside: Dated[] = [];
  const pause = pauses();
  for (const [path, change] of newest) {
    // What cannot be read is no proof of anything; doctor names it.
    const content = attempt(() => presentContent(root, path));
    const { day } = change;
    const state = content === undefined ? "same" : stateOf(content, change);
    if (state === "outside") outside.push({ path, day });
    else if (state !== "same") lost.push({ path, day, state });
    onFile();
    await pause();
  }
  const gone = lost.filter(({ state }) => state === "gone");
  const { present, unread } = gone.length === 0 ? { present: new Set(), unread: [] } : onDisk(root);
  const isMoved = ({ path }: Dated) => present.has(newest.find(([other]) => other === path)?.[1].after ?? "");
  const moved = gone.filter(isMoved);
  const elsewhere = gone.filter(({ path }) => unread.some((one) => `${path}/`.startsWith(`${one}/`)));
  const known = new Set([...moved, ...elsewhere]);
  return { lost: lost.filter((file) => !known.has(file)), outside: [...outside, ...moved] };
}

function stateOf(
  content: FileContent | null,
  change: Newest,
): "same" | "outside" | "gone" | "empty" | "zeros" {
  if (isEither(content?.hash ?? null, change)) return "same";
  if (content === null) return "gone";
  if (content.bytes.length === 0) return "empty";
  return isZeros(content.bytes) ? "zeros" : "outside";
}

/** The texts that are there, and the files and folders that cannot be read, as those in a cloud. */
function onDisk(root: string): { present: Set<string>; unread: string[] } {
  const gate = gateOf(root);
  const { files, failed } = scanWorkspace(root);
  const hashes = files.map((file) => attempt(() => readScanned(gate, file)?.hash) ?? "");
  return { present: new Set(hashes), unread: failed };
}
