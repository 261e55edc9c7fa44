import { fchmodSync, fchownSync, fstatSync, promises, type Stats, writeFileSync } from "node:fs";

/** What a new file has in common with another one; without permission bits the umask decides. */
export interface Traits {
  mode?: number | undefined;
  owner?: { uid: number; gid: number } | undefined;
}

export function traitsOf({ mode, uid, gid }: Stats): Traits {
  return { mode: mode & 0o777, owner: { uid, gid } };
}

/**
 * Writes a file that must not exist yet, down to the disk. An owner or group that we may not give is left out; when `exact`,
 * nothing is written then and the answer is false.
 */
export async function writeFlushed(
  file: string,
  parts: Iterable<Uint8Array>,
  { mode, owner }: Traits = {},
  exact = false,
): Promise<boolean> {
  // Others may do nothing before the file has its group.
  const first = mode !== undefined && owner !== undefined ? mode & 0o700 : mode;
  const handle = await promises.open(file, "wx", first);
  try {
    const given = owner === undefined ? "all" : give(handle.fd, owner);
    if (exact && given !== "all") return false;
    // After the owner, since a new one takes bits; and what a group may do is for that group alone.
    if (mode !== undefined) permit(handle.fd, given === "none" ? mode & 0o707 : mode);
    // At one go: what is written may be a view that holds until somebody else runs.
    for (const part of parts) writeFileSync(handle.fd, part);
    await handle.sync();
    return true;
  } finally {
    await handle.close();
  }
}

/** Only root gives files away, and others only to a group of theirs. */
function give(descriptor: number, { uid, gid }: { uid: number; gid: number }): "all" | "group" | "none" {
  const own = fstatSync(descriptor);
  if (own.uid === uid && own.gid === gid) return "all";
  if (chown(descriptor, uid, gid)) return "all";
  return own.gid === gid || chown(descriptor, own.uid, gid) ? "group" : "none";
}

function chown(descriptor: number, uid: number, gid: number): boolean {
  try {
    fchownSync(descriptor, uid, gid);
    return true;
  } catch {
    return false; // Not ours to give.
  }
}

function permit(descriptor: number, mode: number): void {
  try {
    fchmodSync(descriptor, mode); // The umask has taken bits from the mode it was opened with.
  } catch {
    // A disk that keeps no permissions has none to lose.
  }
}
