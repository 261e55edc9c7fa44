import { lstatSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { once } from "../lib/collections.ts";
import { attempt, errorCode } from "./fs-errors.ts";
import { crypto, hashOf } from "./read.ts";

/** The scope in which a process number is unique: a machine and, on Linux, one PID namespace of it. */
interface ProcessSpace {
  host: string;
  /** Empty on other systems. */
  namespace: string;
}

/** The space of this process, which never leaves it; undefined if Linux hides it. Each container has its own namespace. */
export const processSpace = once((): ProcessSpace | undefined => {
  const host = hostname();
  if (process.platform !== "linux") return { host, namespace: "" };
  return attempt(() => ({ host, namespace: readlinkSync("/proc/self/ns/pid") }));
});

/** Whether a process of our own space is running, including another user's, which we may not signal. */
export function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

const PATTERN = /^\.vibe-mcp-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.tmp$/;
/** Names of temporary files, as git's ignore rules write them. */
export const TEMPORARY_PATTERN = ".vibe-mcp-*.tmp";
const OLD_MS = 24 * 60 * 60 * 1000;
const UNKNOWN_SPACE = "00000000";

// Process numbers mean nothing on another machine or in another container.
const space = once((): string => {
  const own = processSpace();
  if (own === undefined) return UNKNOWN_SPACE;
  return hashOf(Buffer.from([own.host, own.namespace].join("\n"))).slice(0, 8);
});

/** A hidden name beside `file` that no other writer uses and that a later start recognizes as litter. */
export function temporaryFor(file: string): string {
  const name = `.vibe-mcp-${space()}-${process.pid}-${crypto().randomBytes(6).toString("hex")}.tmp`;
  return join(dirname(file), name);
}

export function isTemporary(name: string): boolean {
  return PATTERN.test(name);
}

/**
 * Whether the writer of a temporary file is dead; `now` in milliseconds since 1970. A writer is taken for dead after a day: its
 * process number may belong to another process by then.
 */
export function isAbandonedTemporary(file: string, now: number): boolean {
  const match = PATTERN.exec(basename(file));
  if (match === null) return false;
  const isOurs = match[1] !== UNKNOWN_SPACE && match[1] === space();
  if (isOurs && !isAlive(Number(match[2]))) return true;
  const stats = attempt(() => lstatSync(file));
  return stats !== undefined && now - stats.mtimeMs >= OLD_MS;
}

/** Removes a temporary file, or the draft of a lock, if its writer is dead; returns whether it did. */
export function sweepTemporary(file: string, now: number): boolean {
  const isSwept = attempt(() => {
    if (!isAbandonedTemporary(file, now)) return false;
    if (lstatSync(file).isDirectory()) removeDraft(file);
    else rmSync(file, { force: true });
    return true;
  });
  return isSwept ?? false; // A later start tries again.
}

/** The draft of a lock is a folder with one file that has its name; any other folder stays. */
export function removeDraft(folder: string): void {
  rmSync(join(folder, basename(folder)), { force: true });
  rmdirSync(folder);
}
