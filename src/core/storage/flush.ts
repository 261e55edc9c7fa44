import { fchmodSync, fchownSync, fstatSync, promises, type Stats, writeFileSync } from "node:fs";
import { attempt, succeeds } from "./fs-errors.ts";

/** Permission bits and owner for a new file; without bits the umask decides. */
export interface FileAttributes {
  mode?: number | undefined;
  owner?: { uid: number; gid: number } | undefined;
}

export function attributesOf({ mode, uid, gid }: Stats): FileAttributes {
  return { mode: mode & 0o777, owner: { uid, gid } };
}

/**
 * Writes a file that must not exist yet, and flushes it. An owner or group that we may not set is left out; with
 * `keepsGroup`, nothing is written without its group, and the result is false.
 */
export async function writeFlushed(
  file: string,
  parts: Iterable<Uint8Array>,
  { mode, owner }: FileAttributes = {},
  keepsGroup = false,
): Promise<boolean> {
  // No access for others until the file has its group.
  const first = mode !== undefined && owner !== undefined ? mode & 0o700 : mode;
  const handle = await promises.open(file, "wx", first);
  try {
    const granted = owner === undefined ? "all" : setOwner(handle.fd, owner);
    if (keepsGroup && granted === "none") return false;
    // Last, since the umask and a new owner clear bits. Without its group, the file gets no group bits. Some disks have no
    // permissions at all.
    if (mode !== undefined) attempt(() => fchmodSync(handle.fd, granted === "none" ? mode & 0o707 : mode));
    // Synchronous: the bytes may be a view of memory that other code changes.
    for (const part of parts) writeFileSync(handle.fd, part);
    await handle.sync();
    return true;
  } finally {
    await handle.close();
  }
}

/** Root may set any owner, others only one of their groups. */
function setOwner(descriptor: number, { uid, gid }: { uid: number; gid: number }): "all" | "group" | "none" {
  const own = fstatSync(descriptor);
  if (own.uid === uid && own.gid === gid) return "all";
  if (chown(descriptor, uid, gid)) return "all";
  return own.gid === gid || chown(descriptor, own.uid, gid) ? "group" : "none";
}

function chown(descriptor: number, uid: number, gid: number): boolean {
  return succeeds(() => fchownSync(descriptor, uid, gid));
}
