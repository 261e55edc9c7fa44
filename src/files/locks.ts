import { promises } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { crypto } from "./crypto.ts";
import { errorCode, fileError, isMissing } from "./errors.ts";
import { isAlive } from "./process.ts";
import { hashOf } from "./read.ts";
import { sweepTemporary, temporaryFor } from "./temporary.ts";

/** Who holds a lock, as its file says. */
export interface Owner {
  host: string;
  pid: number;
  token: string;
}

// Work under a lock takes milliseconds: who seems to hold one for so long is gone, whatever its process number says.
const STALE_MS = 15_000;
const PATIENCE_MS = 30_000;
const LONG = { beat: 3000, patience: 300_000 };
const RELEASE_MS = [10, 40, 160];
const POLL_MS = { first: 4, most: 60 };

/**
 * Runs `work` while no other process that asks for the lock of this name runs its own. The lock of a process of this
 * machine that died is taken over at once. Throws FILESYSTEM_ERROR when it cannot be had in 30 seconds.
 *
 * Work that `isLong` keeps its lock young for as long as the process has turns to spare, and others wait five minutes.
 */
export async function withLock<T>(
  root: string,
  name: string,
  work: () => Promise<T>,
  isLong = false,
): Promise<T> {
  const owner: Owner = { host: hostname(), pid: process.pid, token: crypto().randomUUID() };
  const file = await lockFile(root, name);
  await acquire(file, { name, owner, patience: isLong ? LONG.patience : PATIENCE_MS });
  const beat = isLong ? setInterval(() => void touch(file), LONG.beat).unref() : undefined;
  try {
    return await work();
  } finally {
    clearInterval(beat);
    // Somebody who found this lock too old may hold it by now.
    if ((await readOwner(file))?.token === owner.token) await discard(file);
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await promises.utimes(file, now, now).catch(() => {}); // Gone, or not to be touched: then its age decides.
}

/** What is done under a lock stays done when its file cannot be removed: that is taken over when it is old. */
async function discard(file: string): Promise<void> {
  for (const wait of RELEASE_MS) {
    try {
      return await promises.rm(file, { force: true });
    } catch {
      await sleep(wait); // Another program may hold it for some milliseconds.
    }
  }
}

/** Where the locks of a workspace are; it need not exist. */
export function locksFolder(root: string): string {
  return join(root, ".vibe-mcp", "locks");
}

async function lockFile(root: string, name: string): Promise<string> {
  const folder = locksFolder(root);
  const home = dirname(folder);
  // Names that differ in case or composition are one project on some disks.
  const key = hashOf(Buffer.from(name.normalize("NFC").toLowerCase())).slice(0, 32);
  try {
    await promises.mkdir(folder, { recursive: true });
    await ignoreInGit(home);
    for (const entry of await promises.readdir(folder)) sweepTemporary(join(folder, entry), Date.now());
  } catch (error) {
    throw fileError("lock", name, error);
  }
  return join(folder, `${key}.lock`);
}

async function ignoreInGit(folder: string): Promise<void> {
  try {
    await promises.writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

interface Wish {
  name: string;
  owner: Owner;
  /** Milliseconds. */
  patience: number;
}

async function acquire(file: string, { name, owner, patience }: Wish): Promise<void> {
  const draft = temporaryFor(file);
  try {
    await promises.writeFile(draft, JSON.stringify(owner));
    // The disk's own clock: machines that share it may disagree about the time.
    const offset = (await promises.stat(draft)).mtimeMs - elapsed();
    const until = elapsed() + patience;
    for (let wait = POLL_MS.first; elapsed() < until; wait = Math.min(wait * 1.5, POLL_MS.most)) {
      if (await take(draft, file)) return;
      const now = elapsed() + offset;
      if (await isAbandoned(file, now)) await breakLock(file, now);
      else await sleep(wait * (0.5 + Math.random()));
    }
  } catch (error) {
    throw fileError("lock", name, error);
  } finally {
    await discard(draft);
  }
  const message = `Project ${quoteName(name)} is being written by another process for too long. Try again in a moment.`;
  throw new UserError("FILESYSTEM_ERROR", message, { details: { project: name } });
}

/** A link appears whole or not at all, so that nobody reads a half-written owner; some disks have no links. */
async function take(draft: string, file: string): Promise<boolean> {
  try {
    await promises.link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (isMissing(error)) throw error;
  }
  try {
    await promises.writeFile(file, await promises.readFile(draft), { flag: "wx" });
    return true;
  } catch (error) {
    // Windows answers EPERM while a removed file is still open somewhere.
    if (["EEXIST", "EPERM", "EBUSY"].includes(errorCode(error))) return false;
    throw error;
  }
}

/** Whether nobody holds the lock any more; `now` is the disk's own time, in milliseconds since 1970. */
export async function isAbandoned(file: string, now: number): Promise<boolean> {
  const [owner, written] = await Promise.all([readOwner(file), writtenAt(file)]);
  if (written === undefined) return false;
  if (now - written > STALE_MS) return true;
  return owner !== undefined && owner.host === hostname() && !isAlive(owner.pid);
}

/** Removes an abandoned lock. Of several that want to, the one with the guard does, and it looks again before. */
export async function breakLock(file: string, now: number): Promise<void> {
  const guard = `${file}.break`;
  try {
    await promises.writeFile(guard, "", { flag: "wx" });
  } catch {
    if (now - ((await writtenAt(guard)) ?? now) > STALE_MS) await promises.rm(guard, { force: true });
    await sleep(POLL_MS.first);
    return;
  }
  try {
    if (await isAbandoned(file, now)) await promises.rm(file, { force: true });
  } finally {
    await promises.rm(guard, { force: true });
  }
}

export async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const { host, pid, token } = JSON.parse(await promises.readFile(file, "utf8")) as Partial<Owner>;
    const isWhole = typeof host === "string" && typeof pid === "number" && typeof token === "string";
    return isWhole ? { host, pid, token } : undefined;
  } catch {
    return undefined; // Released meanwhile, or not whole yet: then its age decides.
  }
}

export async function writtenAt(file: string): Promise<number | undefined> {
  try {
    return (await promises.stat(file)).mtimeMs;
  } catch {
    return undefined; // Released meanwhile.
  }
}
