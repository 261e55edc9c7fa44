import { fchmodSync, fchownSync, realpathSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { makeFolder } from "./folders.ts";
import { attempt, errorCode, ifPresent, systemError } from "./fs-errors.ts";
import { closeEntry, exists, makeIfFree, type OpenEntry, openEntry, openStraight } from "./open-entry.ts";
import { gateOf } from "./path-gate.ts";

const HOME = ".vibe-mcp";
const LOCKS = "locks";

type Parent = Pick<OpenEntry, "file" | "at">;

/** The folder of a workspace's locks; it may not exist. */
export function locksFolder(root: string): string {
  return join(root, HOME, LOCKS);
}

/** Opens the folder of locks, made if missing. Throws as `makeHome` does. */
export function makeLocksFolder(root: string): HomeFolder {
  return makeHome(root, [LOCKS]);
}

/** Opens the folder of locks; undefined if there is none. Throws FILESYSTEM_ERROR for a link. */
export function findLocksFolder(root: string): OpenEntry | undefined {
  return findHome(root, [LOCKS]);
}

/** An open folder of this program, and the root, whose permissions its files get. */
export interface HomeFolder {
  folder: OpenEntry;
  like: Stats;
}

/** Opens the folder of locks and that around it, made if missing. Throws as `makeHome` does. */
export function openLocks(root: string): { home: HomeFolder; locks: OpenEntry } {
  const home = openHome(root);
  try {
    return { home, locks: makeInner(home, [LOCKS]).folder };
  } catch (error) {
    closeEntry(home.folder);
    throw error;
  }
}

/**
 * Opens a folder below `.vibe-mcp/`, made if missing and writable for everyone who may write in the root. Throws
 * FILESYSTEM_ERROR for a link.
 */
export function makeHome(root: string, names: readonly string[]): HomeFolder {
  const home = openHome(root);
  try {
    return makeInner(home, names);
  } finally {
    closeEntry(home.folder);
  }
}

function openRoot(root: string): OpenEntry {
  const gate = gateOf(root);
  const folder = gate.openFolder("");
  if (folder !== undefined) return folder;
  makeFolder(root);
  const made = gate.openFolder("");
  if (made === undefined) throw systemError("ENOENT");
  return made;
}

function openHome(root: string): HomeFolder {
  const top = openRoot(root);
  const like = top.stats;
  try {
    const folder = makeShared(top, HOME, like);
    try {
      ignoreInGit(folder.at, like);
    } catch (error) {
      closeEntry(folder);
      throw error;
    }
    return { folder, like };
  } finally {
    closeEntry(top);
  }
}

/** Opens a folder below one that is open, made as `makeHome` makes it. */
export function makeInner({ folder: outer, like }: HomeFolder, names: readonly string[]): HomeFolder {
  const [name = "", ...inner] = names;
  const folder = makeShared(outer, name, like);
  if (inner.length === 0) return { folder, like };
  try {
    return makeInner({ folder, like }, inner);
  } finally {
    closeEntry(folder);
  }
}

/** Opens a folder below `.vibe-mcp/`; undefined if there is none. Throws FILESYSTEM_ERROR for a link. */
export function findHome(root: string, names: readonly string[]): OpenEntry | undefined {
  const straight = openStraight(join(root, HOME, ...names), "folder");
  if (straight !== undefined) return straight;
  let folder = ifPresent(() => {
    const file = realpathSync.native(root);
    return open({ file, at: file }, HOME);
  });
  for (const name of names) {
    const outer = folder;
    if (outer === undefined) return undefined;
    try {
      folder = ifPresent(() => open(outer, name));
    } finally {
      closeEntry(outer);
    }
  }
  return folder;
}

function ignoreInGit(folder: string, { mode }: Stats): void {
  const file = join(folder, ".gitignore");
  if (exists(file)) return;
  try {
    writeFileSync(file, "*\n", { flag: "wx", mode: mode & 0o666 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Opens a folder, made if missing and writable for everyone who may write in `like`. */
export function makeShared(parent: Parent, name: string, like: Stats): OpenEntry {
  const folder = open(parent, name);
  if (folder === undefined) return makeNew(parent, name, like);
  share(folder, like);
  return folder;
}

/** The same for a name that nothing has. */
export function makeNew(parent: Parent, name: string, like: Stats): OpenEntry {
  makeIfFree(join(parent.at, name), like.mode & 0o777);
  const folder = open(parent, name) ?? refuse(join(parent.file, name));
  share(folder, like);
  return folder;
}

/** Undefined if nothing has the name. Throws FILESYSTEM_ERROR for a link or a file. */
function open(parent: Parent, name: string): OpenEntry | undefined {
  const [file, at] = [join(parent.file, name), join(parent.at, name)];
  const folder = openEntry(file, "folder", at);
  if (folder !== undefined && folder !== "moved") return folder;
  return exists(at) ? refuse(file) : undefined;
}

/** The umask and the group of this process may keep out a team that may write in the root. */
function share({ descriptor, stats: { uid, gid, mode } }: OpenEntry, like: Stats): void {
  if (descriptor === -1) return;
  const owner = process.geteuid?.() === 0 ? like.uid : uid;
  const shared = (like.mode & 0o2777) | 0o700;
  // A folder of another user, or a root of a group that is not ours, stays unchanged.
  attempt(() => {
    if (uid !== owner || gid !== like.gid) fchownSync(descriptor, owner, like.gid);
    if ((mode & 0o2777) !== shared) fchmodSync(descriptor, shared);
  });
}

function refuse(file: string): never {
  const shown = file.slice(file.lastIndexOf(HOME));
  const message = `'${shown}' must be a folder, but is a link or a file. Remove it and try again.`;
  throw new UserError("FILESYSTEM_ERROR", message, { details: { path: shown } });
}
