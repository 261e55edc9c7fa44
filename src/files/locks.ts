import { readdirSync, renameSync, type Stats, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { errorCode, guarded, isMissing } from "./errors.ts";
import {
  breakLock,
  createStaleCheck,
  entriesOf,
  isAbandoned,
  type Owner,
  removeEmpty,
  writeEntry,
} from "./lock-entry.ts";
import { makeLocksFolder, makeShared } from "./lock-folder.ts";
import { closePlace, exists, type OpenPlace } from "./place.ts";
import { processSpace } from "./process.ts";
import { hashOf } from "./read.ts";
import { removeDraft, sweepTemporary, temporaryFor } from "./temporary.ts";

/** A lock that this process holds, unless it was stopped for so long that another one took it over. */
export interface Lock {
  /** Throws CONFLICT when the lock was taken over. */
  check(): void;
  /**
   * Where a file belongs before it takes its final name, in the folder of the locks. Who takes a lock over removes it first,
   * so a holder that is stopped between its last check and the rename renames nothing when it goes on.
   */
  readonly stage: string;
}

const BEAT_MS = 3000;
const PATIENCE_MS = 30_000;
const LONG_PATIENCE_MS = 300_000;
const RELEASE_MS = [10, 40, 160];
const POLL_MS = { first: 4, most: 60 };

/**
 * Runs `work` while no other process that asks for the lock of this name runs its own. A lock is kept young as long as its
 * process has turns to spare: one that is 15 seconds old, or whose process ended on this machine, is taken over. Throws
 * FILESYSTEM_ERROR when the lock cannot be had in 30 seconds, for work that `isLong` in five minutes.
 *
 * A lock is a folder that is never empty while it is held; its one file is named by a token. A folder that is made beside it takes
 * its name only while that is free or the folder there is empty, so one process wins. To give a lock back, or to break it
 * (`breakLock`), is to remove a file whose name no other lock has, so only the lock that was looked at can be removed.
 */
export async function withLock<T>(
  root: string,
  name: string,
  work: (lock: Lock) => Promise<T>,
  isLong = false,
): Promise<T> {
  const place = await guarded("lock", name, () => openPlace(root, name));
  try {
    const patience = isLong ? LONG_PATIENCE_MS : PATIENCE_MS;
    await guarded("lock", name, () => acquire(place, patience));
    const beat = setInterval(() => touch(place), BEAT_MS).unref();
    try {
      return await work({ check: () => check(place), stage: join(place.locks.at, place.token) });
    } finally {
      clearInterval(beat);
      await release(place);
    }
  } finally {
    closePlace(place.locks);
  }
}

/** A lock as this process asks for it. */
interface Place {
  name: string;
  locks: OpenPlace;
  /** The folder whose name is the lock. */
  lock: string;
  /** Names this attempt alone, and its draft, and what its holder is about to rename. */
  token: string;
  /** The owner, as the file says it. */
  text: string;
  /** Whose permissions the lock has. */
  like: Stats;
}

function openPlace(root: string, name: string): Place {
  const { folder: locks, like } = makeLocksFolder(root);
  for (const entry of readdirSync(locks.at)) sweepTemporary(join(locks.at, entry), Date.now());
  // Names that differ in case or composition are one project on some disks.
  const key = hashOf(Buffer.from(name.normalize("NFC").toLowerCase())).slice(0, 32);
  const owner: Owner = { host: hostname(), ...processSpace(), pid: process.pid };
  const token = basename(temporaryFor(key));
  return { name, locks, lock: `${key}.lock`, token, text: JSON.stringify(owner), like };
}

async function acquire(place: Place, patience: number): Promise<void> {
  const { locks, lock, token, text } = place;
  const draft = join(locks.at, token);
  const hasLasted = createStaleCheck();
  makeDraft(place);
  try {
    const until = elapsed() + patience;
    for (let wait = POLL_MS.first; elapsed() < until; wait = Math.min(wait * 1.5, POLL_MS.most)) {
      if (take(place, draft)) return;
      // Tells the disk's own time, since machines that share it may disagree, and keeps the draft young.
      const now = writeEntry(join(draft, token), text);
      const entries = entriesOf(locks, lock);
      const abandoned = entries.filter((entry) => isAbandoned(entry, now) || hasLasted(entry));
      for (const entry of abandoned) breakLock(locks, lock, entry);
      if (abandoned.length < entries.length || !removeEmpty(locks, lock))
        await sleep(wait * (0.5 + Math.random()));
    }
  } finally {
    discard(draft);
  }
  const message = `Project ${quoteName(place.name)} is being written by another process for too long. Try again in a moment.`;
  throw new UserError("FILESYSTEM_ERROR", message, { details: { project: place.name } });
}

function makeDraft({ locks, token, text, like }: Place): void {
  const folder = makeShared(locks, token, like);
  try {
    writeEntry(join(folder.at, token), text, like.mode & 0o666);
  } finally {
    closePlace(folder);
  }
}

/** Gives the draft the name of the lock, which the system refuses unless it is free. */
function take(place: Place, draft: string): boolean {
  const lock = join(place.locks.at, place.lock);
  try {
    renameSync(draft, lock);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR"].includes(errorCode(error))) return false;
    // What Windows and some shared disks answer then; a virus scanner may hold the draft, too.
    const isHeld = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error));
    if (isHeld && (process.platform === "win32" || exists(lock))) return false;
    // A network disk that was asked twice has done it the first time.
    if (isMissing(error) && exists(fileOf(place))) return true;
    throw error;
  }
}

function discard(draft: string): void {
  try {
    removeDraft(draft);
  } catch {
    // It has become the lock; or it is swept when this process has ended.
  }
}

function fileOf({ locks, lock, token }: Place): string {
  return join(locks.at, lock, token);
}

function touch(place: Place): void {
  try {
    writeEntry(fileOf(place), place.text);
  } catch {
    // Taken over, which the next check tells; or not to be written now: then its age decides.
  }
}

function check(place: Place): void {
  if (exists(fileOf(place))) return;
  const message = `Project '${place.name}' was taken over by another process while this one was stopped, so nothing was written. Read it again and repeat the change.`;
  throw new UserError("CONFLICT", message, { details: { project: place.name } });
}

/** What is done under a lock stays done when its file cannot be removed: that is taken over when it is old. */
async function release(place: Place): Promise<void> {
  for (const wait of [...RELEASE_MS, 0]) {
    try {
      unlinkSync(fileOf(place));
      break;
    } catch (error) {
      if (isMissing(error)) break;
      await sleep(wait); // Another program may hold it for some milliseconds.
    }
  }
  removeEmpty(place.locks, place.lock);
}
