import { readdirSync, renameSync, unlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { pathKey } from "../lib/file-names.ts";
import { attempt, errorCode, guarded, isMissing } from "./fs-errors.ts";
import { breakLock, entriesOf, isAbandoned, type Owner, removeEmpty, writeEntry } from "./lock-entry.ts";
import { type HomeFolder, LOCKS, makeHome, makeInner, makeNew } from "./lock-folder.ts";
import { exists } from "./open-entry.ts";
import { hashOf } from "./read.ts";
import { processSpace, removeDraft, sweepTemporary, temporaryFor } from "./temp-files.ts";

/** A lock that this process holds, unless another process took it over because this one was stopped for too long. */
export interface Lock {
  /** Throws CONFLICT if the lock was taken over. */
  check(): void;
  /**
   * Where a file waits for its final name, in the folder of the locks. A process that takes the lock over removes it first, so
   * a holder that was stopped between its last check and the rename renames nothing when it continues.
   */
  readonly stage: string;
  /** The folder of this program. */
  readonly home: HomeFolder;
}

/** A lock that its holder has to dispose of. */
export interface HeldLock extends Lock {
  [Symbol.asyncDispose](): Promise<void>;
}

const BEAT_MS = 3000;
const TIMEOUT_MS = 30_000;
const LONG_TIMEOUT_MS = 300_000;
const RELEASE_MS = [10, 40, 160];
const POLL_MS = { first: 4, most: 60 };

/** Runs `work` under the lock of this name. Throws as takeLock does. */
export async function withLock<T>(
  root: string,
  name: string,
  work: (lock: Lock) => Promise<T>,
  isLong = false,
): Promise<T> {
  await using lock = await takeLock(root, name, isLong);
  return await work(lock);
}

/**
 * Takes the lock of this name, which one process holds at a time, until it is disposed of. Its holder touches it every few
 * seconds: one that is 15 seconds old, or whose process ended on this machine, is taken over. Throws FILESYSTEM_ERROR if the lock
 * is not free within 30 seconds, or five minutes if the work `isLong`.
 *
 * A held lock is a folder with one file, named by a token. A draft of it, made beside it, can be renamed to it only while the
 * name is free or an empty folder, so one process wins. Releasing or breaking a lock (`breakLock`) removes a file whose name no
 * other lock has, so it can never remove another process's lock.
 */
export function takeLock(root: string, name: string, isLong = false): Promise<HeldLock> {
  return guarded("lock", name, async () => {
    const claim = prepareClaim(root, name);
    const { home, locks, token, text } = claim;
    await acquire(claim, isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS);
    // If it fails, the lock was taken over, as the next check finds, or cannot be written now: then its age decides.
    const beat = setInterval(() => attempt(() => writeEntry(fileOf(claim), text)), BEAT_MS).unref();
    const end = async () => {
      clearInterval(beat);
      await release(claim);
    };
    const lock = { check: () => check(claim), stage: join(locks, token), home };
    return { ...lock, [Symbol.asyncDispose]: end };
  });
}

/** An attempt to get a lock. */
interface LockAttempt {
  name: string;
  home: HomeFolder;
  /** The folder of all locks. */
  locks: string;
  /** The folder whose name is the lock. */
  lock: string;
  /** Names this attempt: its draft, then the file in the lock and the staged file. */
  token: string;
  /** The owner as JSON. */
  text: string;
}

function prepareClaim(root: string, name: string): LockAttempt {
  const home = makeHome(root, []);
  const locks = makeInner(home, [LOCKS]).file;
  for (const entry of readdirSync(locks)) sweepTemporary(join(locks, entry), Date.now());
  const key = hashOf(Buffer.from(pathKey(name))).slice(0, 32);
  const owner: Owner = { host: hostname(), ...processSpace(), pid: process.pid };
  const token = basename(temporaryFor(key));
  return { name, home, locks, lock: `${key}.lock`, token, text: JSON.stringify(owner) };
}

async function acquire(claim: LockAttempt, timeout: number): Promise<void> {
  const { locks, lock, token, text } = claim;
  const draft = join(locks, token);
  let isTaken = false;
  makeDraft(claim);
  try {
    const until = elapsed() + timeout;
    for (let wait = POLL_MS.first; elapsed() < until; wait = Math.min(wait * 1.5, POLL_MS.most)) {
      isTaken = take(claim, draft);
      if (isTaken) return;
      // The disk's own time, since machines that share it may disagree; it also keeps the draft young.
      const now = writeEntry(join(draft, token), text);
      const entries = entriesOf(locks, lock);
      const abandoned = entries.filter((entry) => isAbandoned(entry, now));
      for (const entry of abandoned) breakLock(locks, lock, entry);
      if (abandoned.length < entries.length || !removeEmpty(locks, lock))
        await sleep(wait * (0.5 + Math.random()));
    }
  } finally {
    if (!isTaken) attempt(() => removeDraft(draft)); // If that fails, it is swept once this process has ended.
  }
  const message = `Another process has been writing project ${quoteName(claim.name)} for too long. Try again in a moment.`;
  throw new UserError("FILESYSTEM_ERROR", message, { details: { project: claim.name } });
}

function makeDraft({ home: { like }, locks, token, text }: LockAttempt): void {
  const folder = makeNew(locks, token, like);
  writeEntry(join(folder.file, token), text, like.mode & 0o666);
}

/** Renames the draft to the lock, which the system refuses unless the lock is free. */
function take(claim: LockAttempt, draft: string): boolean {
  const lock = join(claim.locks, claim.lock);
  try {
    renameSync(draft, lock);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR"].includes(errorCode(error))) return false;
    // From Windows and some shared disks; a virus scanner may hold the draft, too.
    const isBusy = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error));
    if (isBusy && (process.platform === "win32" || exists(lock))) return false;
    // A network disk may have repeated a rename that worked.
    if (isMissing(error) && exists(fileOf(claim))) return true;
    throw error;
  }
}

function fileOf({ locks, lock, token }: LockAttempt): string {
  return join(locks, lock, token);
}

function check(claim: LockAttempt): void {
  if (exists(fileOf(claim))) return;
  const message = `Project ${quoteName(claim.name)} was taken over by another process while this one was stopped, so nothing was written. Read it again and repeat the change.`;
  throw new UserError("CONFLICT", message, { details: { project: claim.name } });
}

/** A lock whose file cannot be removed is taken over once it is old. */
async function release(claim: LockAttempt): Promise<void> {
  for (const wait of [...RELEASE_MS, 0]) {
    try {
      unlinkSync(fileOf(claim));
      break;
    } catch (error) {
      if (isMissing(error)) break;
      await sleep(wait); // Another program may hold it for some milliseconds.
    }
  }
  removeEmpty(claim.locks, claim.lock);
}
