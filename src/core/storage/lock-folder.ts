import { fchmodSync, fchownSync, realpathSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { makeFolder } from "./folders.ts";
import { attempt, errorCode, ifPresent, systemError } from "./fs-errors.ts";
import { checkDisks } from "./mounts.ts";
import { closeEntry, exists, makeIfFree, type OpenEntry, openEntry, openStraight } from "./open-entry.ts";
import { gateOf } from "./path-gate.ts";

const HOME = ".vibe-mcp";
/** The folder of the locks. */
export const LOCKS = "locks";

type Parent = Pick<OpenEntry, "file" | "at">;

/** An open folder of this program. */
export interface HomeFolder extends OpenEntry {
  /** The root, whose permissions its files get. */
  like: Stats;
}

/**
 * Opens a folder below `.vibe-mcp/`, made if missing and writable for everyone who may write in the root. Throws
 * FILESYSTEM_ERROR for a link.
 */
export function makeHome(root: string, names: readonly string[]): HomeFolder {
  using home = openHome(root);
  return makeInner(home, names);
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

/** Opens the folder of locks and that around it, made if missing. Throws as `makeHome` does. */
export function openLocks(root: string): { home: HomeFolder; locks: OpenEntry } {
  const home = openHome(root);
  try {
    return { home, locks: makeInner(home, [LOCKS]) };
  } catch (error) {
    closeEntry(home);
    throw error;
  }
}

function openHome(root: string): HomeFolder {
  using top = openRoot(root);
  const like = top.stats;
  const folder = makeShared(top, HOME, like);
  try {
    ignoreInGit(folder.at, like);
  } catch (error) {
    closeEntry(folder);
    throw error;
  }
  return Object.assign(folder, { like });
}

/** Opens a folder below one that is open, made as `makeHome` makes it. */
export function makeInner(outer: HomeFolder, [name = "", ...inner]: readonly string[]): HomeFolder {
  const { like } = outer;
  const folder = Object.assign(makeShared(outer, name, like), { like });
  if (inner.length === 0) return folder;
  using parent = folder;
  return makeInner(parent, inner);
}

/** Opens a folder below `.vibe-mcp/`; undefined if there is none. Throws FILESYSTEM_ERROR for a link. */
export function findHome(root: string, names: readonly string[]): OpenEntry | undefined {
  const straight = openStraight(join(root, HOME, ...names), "folder");
  if (straight !== undefined) return straight;
  let folder = ifPresent(() => {
    const file = realpathSync.native(root);
    return open({ file, at: file }, HOME);
  });
  if (folder === undefined) checkDisks(root, [""]);
  for (const name of names) {
    using outer = folder;
    if (outer === undefined) return undefined;
    folder = ifPresent(() => open(outer, name));
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
function makeShared(parent: Parent, name: string, like: Stats): OpenEntry {
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
