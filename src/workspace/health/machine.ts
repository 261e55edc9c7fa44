import { dirname } from "node:path";
import { unwatchable } from "../../files/fs-type.ts";
import {
  breakLock,
  type HeldLock,
  inspectPlace,
  listLocks,
  locksFolder,
  probeDisk,
  temporariesIn,
} from "../../files/inspect.ts";
import { isAbandonedTemporary, sweepTemporary } from "../../files/temporary.ts";
import { counted, type Finding, type Patient, some } from "./finding.ts";

const LEAST_NODE = [20, 19] as const;
/** Locks are told old by the disk's clock, and files fresh by ours: that much they may differ. */
const MOST_AHEAD_MS = 2_000;
const SLOW_WALK_MS = 1_000;

/** `version` as Node tells it: `v20.19.0`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isRecent = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  const wanted = LEAST_NODE.join(".");
  if (isRecent) return { check: "node", state: "ok", message: `Node.js ${version}.` };
  const remedy = `Install Node.js ${wanted} or later: https://nodejs.org`;
  return { check: "node", state: "problem", message: `Node.js ${version} is older than ${wanted}.`, remedy };
}

/** The clocks of this machine and of the disk, and files from the future. */
export function checkClock({ config, clock, scan }: Patient): Finding[] {
  if (inspectPlace(config.root).kind !== "folder" || config.readOnly) return [];
  const probe = probeDisk(config.root, () => clock.now().getTime());
  if ("reason" in probe) {
    const remedy = "Mend that, or serve with --read-only.";
    return [
      {
        check: "permissions",
        state: "problem",
        message: `No file can be made in the root: ${probe.reason}.`,
        remedy,
      },
    ];
  }
  const seconds = Math.round(probe.ahead / 1000);
  if (Math.abs(probe.ahead) > MOST_AHEAD_MS) {
    const message = `The disk's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's.`;
    const remedy = "Set both by the network (NTP): times of notes, and what counts as recent, go by them.";
    return [{ check: "clock", state: "problem", message, remedy }];
  }
  const now = clock.now().getTime();
  const future = scan.files.filter(({ modified }) => modified > now + MOST_AHEAD_MS).map(({ path }) => path);
  if (future.length === 0)
    return [{ check: "clock", state: "ok", message: "This machine and the disk agree about the time." }];
  const message = `${counted(future.length, "file")} changed in the future: ${some(future)}.`;
  return [
    { check: "clock", state: "note", message, remedy: "Their date counts as today; touch them to mend it." },
  ];
}

/** Locks that are held, and those that nobody holds any more. */
export async function checkLocks({ config, clock }: Patient): Promise<Finding[]> {
  const now = clock.now().getTime();
  const locks = await listLocks(config.root, now);
  const dead = locks.filter(({ abandoned }) => abandoned);
  const held = locks.filter(({ abandoned }) => !abandoned);
  const found: Finding[] = held.map((lock) => ({
    check: "locks",
    state: "note",
    message: `A project is being written by ${holder(lock)}.`,
    remedy: "It takes milliseconds: look again.",
  }));
  if (dead.length > 0) {
    const message = `${counted(dead.length, "lock")} of ended processes: ${some(dead.map(holder))}.`;
    const remedy = "The next write takes them over by itself.";
    const fix = async () => {
      for (const { file } of dead) await breakLock(file, now);
    };
    found.push({ check: "locks", state: "problem", message, remedy, fix });
  }
  return found.length > 0 ? found : [{ check: "locks", state: "ok", message: "No lock is held." }];
}

function holder({ owner, age }: HeldLock): string {
  const who = owner === undefined ? "an unknown process" : `process ${owner.pid} on ${owner.host}`;
  return `${who} (${Math.max(0, Math.round(age / 1000))} s)`;
}

/** Temporary files whose writers are dead. */
export function checkTemporaries({ config, clock, scan }: Patient): Finding[] {
  const now = clock.now().getTime();
  const places = [locksFolder(config.root), dirname(config.db)];
  const files = new Set([...scan.temporaries, ...places.flatMap(temporariesIn)]);
  const dead = [...files].filter((file) => isAbandonedTemporary(file, now));
  if (dead.length === 0) return [];
  return [
    {
      check: "temporaries",
      state: "problem",
      message: `${counted(dead.length, "temporary file")} of ended processes.`,
      remedy: "The next call removes those in the workspace by itself.",
      fix: () => {
        for (const file of dead) sweepTemporary(file, now);
      },
    },
  ];
}

/** How changes of others are noticed. */
export function checkFreshness({ config, scan, walked }: Patient): Finding {
  const reason = config.watch ? unwatchable(config.root) : "it is switched off";
  if (reason === undefined)
    return {
      check: "freshness",
      state: "ok",
      message: "A server is told what changes, and looks at that alone.",
    };
  const cost = `every call looks at all ${scan.files.length} files, which took ${Math.round(walked)} ms just now`;
  const message = `No watching (${reason}): ${cost}.`;
  if (walked < SLOW_WALK_MS) return { check: "freshness", state: "ok", message };
  const remedy = "Move the workspace to a local disk, or keep what is not searched out of it.";
  return { check: "freshness", state: "note", message, remedy };
}
