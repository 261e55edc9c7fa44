import { readFileSync, statfsSync } from "node:fs";
import { attempt } from "../storage/fs-errors.ts";

/** File systems on which every change goes through Linux, which reports it: by the magic number of statfs(2). */
const LOCAL = new Map([
  [0xef53, "ext4"],
  [0x58465342, "XFS"],
  [0x9123683e, "Btrfs"],
  [0xf2f52010, "F2FS"],
  [0x2fc12fc1, "ZFS"],
  [0xca451a4e, "bcachefs"],
  [0x01021994, "tmpfs"],
]);

/** Why the changes of a folder are not reported; undefined if they are. */
export function unwatchable(folder: string): string | undefined {
  if (process.platform !== "linux") return "only Linux reports changes in time";
  const type = attempt(() => statfsSync(folder).type);
  if (type === undefined) return "the disk does not say what it is";
  return LOCAL.has(type) ? undefined : "the disk is shared or layered";
}

export interface WatchLimits {
  /** Folders one user may watch, in all programs. */
  watches: number;
  /** Events waiting to be read. */
  queue: number;
}

export function watchLimits(): WatchLimits {
  return { watches: limit("max_user_watches", 8192), queue: limit("max_queued_events", 16384) };
}

function limit(name: string, usual: number): number {
  return Number(attempt(() => readFileSync(`/proc/sys/fs/inotify/${name}`, "latin1"))) || usual;
}
