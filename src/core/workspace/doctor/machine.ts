import { dirname } from "node:path";
import { UserError } from "../../lib/errors.ts";
import { escapeName } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { attempt, reasonOf } from "../../storage/fs-errors.ts";
import {
  inspectPath,
  type LockStatus,
  listLocks,
  lockTemporaries,
  probeDisk,
  temporariesIn,
} from "../../storage/inspect.ts";
import { isAbandonedTemporary, sweepTemporary } from "../../storage/temp-files.ts";
import { unwatchable } from "../../watch/inotify.ts";
import { type DoctorContext, type Finding, note, ok, problem, some } from "./finding.ts";

const LEAST_NODE = [20, 19] as const;
/** Locks are dated by the disk's clock, files by this machine's: the two may differ this much. */
const MAX_AHEAD_MS = 2_000;
const SLOW_SCAN_MS = 1_000;

/** `version` as Node gives it: `v20.19.0`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isRecent = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  const least = LEAST_NODE.join(".");
  if (isRecent) return ok("node", `Node.js ${version}.`);
  const remedy = `Install Node.js ${least} or later: https://nodejs.org`;
  return problem("node", `Node.js ${version} is older than ${least}.`, remedy);
}

/** Compares the clocks of this machine and of the disk, and finds files from the future. */
export function checkClock({ config, clock, scan }: DoctorContext): Finding[] {
  if (inspectPath(config.root).kind !== "folder" || config.readOnly) return [];
  const probe = probeDisk(config.root, () => clock.now().getTime());
  if ("reason" in probe) {
    const message = `Cannot create a file in the root: ${probe.reason}.`;
    return [problem("permissions", message, "Fix that, or serve with --read-only.")];
  }
  const seconds = Math.round(probe.ahead / 1000);
  if (Math.abs(probe.ahead) > MAX_AHEAD_MS) {
    const message = `The disk's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's.`;
    const remedy =
      "Synchronize both clocks over the network (NTP): dates of notes and the ranking depend on them.";
    return [problem("clock", message, remedy)];
  }
  const now = clock.now().getTime();
  const future = scan.files
    .filter(({ mtime: modified }) => modified > now + MAX_AHEAD_MS)
    .map(({ path }) => path);
  if (future.length === 0) return [ok("clock", "This machine and the disk agree about the time.")];
  const message = `${counted(future.length, "file")} changed in the future: ${some(future)}.`;
  return [note("clock", message, "They are dated today; touch them to fix it.")];
}

/** Locks that are held, and those of ended processes. */
export function checkLocks({ config, clock }: DoctorContext): Finding[] {
  const now = clock.now().getTime();
  let locks: LockStatus[];
  try {
    locks = listLocks(config.root, now);
  } catch (error) {
    return [unusable(error)];
  }
  const dead = locks.filter(({ abandoned }) => abandoned);
  const found = locks
    .filter(({ abandoned }) => !abandoned)
    .map((lock) =>
      note(
        "locks",
        `A project is being written by ${holder(lock)}.`,
        "Writing takes milliseconds: check again.",
      ),
    );
  if (dead.length > 0) {
    const message = `${counted(dead.length, "lock")} of ended processes: ${some(dead.map(holder))}.`;
    const fix = () => {
      for (const lock of dead) lock.remove();
    };
    found.push(problem("locks", message, "The next write takes them over.", fix));
  }
  return found.length > 0 ? found : [ok("locks", "No lock is held.")];
}

/** The folder of the locks is a link or a file, or is not readable: then no write gets a lock. */
function unusable(error: unknown): Finding {
  const message =
    error instanceof UserError ? error.message : `The locks cannot be read: ${reasonOf(error)}.`;
  return problem("locks", message, "Until then every write is refused.");
}

function holder({ owner, age }: LockStatus): string {
  const who =
    owner === undefined ? "an unknown process" : `process ${owner.pid} on ${escapeName(owner.host)}`;
  const seconds = Math.round(Math.abs(age) / 1000);
  return `${who} (${age < 0 && seconds > 0 ? `dated ${seconds} s in the future` : `${seconds} s`})`;
}

/** Temporary files whose writers are dead. */
export function checkTemporaries({ config, clock, scan }: DoctorContext): Finding[] {
  const now = clock.now().getTime();
  const files = new Set([
    ...scan.temporaries,
    ...temporariesIn(dirname(config.db)),
    // `checkLocks` says why they cannot be read.
    ...(attempt(() => lockTemporaries(config.root)) ?? []),
  ]);
  const dead = [...files].filter((file) => isAbandonedTemporary(file, now));
  if (dead.length === 0) return [];
  const message = `${counted(dead.length, "temporary file")} of ended processes.`;
  const fix = () => {
    for (const file of dead) sweepTemporary(file, now);
  };
  return [problem("temporaries", message, "The next call removes those in the workspace.", fix)];
}

/** How changes by other programs are detected. */
export function checkFreshness({ config, scan, scanMs }: DoctorContext): Finding {
  const reason = config.watch ? unwatchable(config.root) : "it is switched off";
  if (reason === undefined) return ok("freshness", "File watching: only changed files are re-read.");
  const cost = `every call scans all ${scan.files.length} files, which took ${Math.round(scanMs)} ms just now`;
  const message = `No watching (${reason}): ${cost}.`;
  if (scanMs < SLOW_SCAN_MS) return ok("freshness", message);
  return note(
    "freshness",
    message,
    "Move the workspace to a local disk, or move files that need no search out of it.",
  );
}
