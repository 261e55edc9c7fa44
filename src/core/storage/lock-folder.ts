import { chmodSync, chownSync, realpathSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { makeFolder } from "./folders.ts";
import { attempt, errorCode, ifPresent, systemError } from "./fs-errors.ts";
import { checkDisks } from "./mounts.ts";
import { exists, findFolder, makeIfFree, type PlainPath } from "./open-entry.ts";
import { gateOf } from "./path-gate.ts";

const HOME = ".vibe-mcp";
/** The folder of the locks. */
export const LOCKS = "locks";

/** A folder of this program. */
export interface HomeFolder extends PlainPath {
  /** The root, whose permissions its files get. */
  like: Stats;
}

/**
 * A folder below `.vibe-mcp/`, or that one, made if missing and writable for everyone who may write in the root. Throws
 * FILESYSTEM_ERROR for a link.
 */
export function makeHome(root: string, names: readonly string[]): HomeFolder {
  const { file, stats: like } = findRoot(root);
  const home = makeShared(file, HOME, like);
  ignoreInGit(home.file, like);
  return makeInner({ ...home, like }, names);
}

function findRoot(root: string): PlainPath {
  const gate = gateOf(root);
  const folder = gate.findFolder("");
  if (folder !== undefined) return folder;
  makeFolder(root);
  const made = gate.findFolder("");
  if (made === undefined) throw systemError("ENOENT");
  return made;
}

/** A folder below one of this program, made as `makeHome` makes it. */
export function makeInner(outer: HomeFolder, names: readonly string[]): HomeFolder {
  return names.reduce(({ file, like }, name) => ({ ...makeShared(file, name, like), like }), outer);
}

/** A folder below `.vibe-mcp/`; undefined if there is none. Throws FILESYSTEM_ERROR for a link. */
export function findHome(root: string, names: readonly string[]): PlainPath | undefined {
  let folder = ifPresent(() => find(realpathSync.native(root), HOME));
  if (folder === undefined) checkDisks(root, [""]);
  for (const name of names) folder = folder && find(folder.file, name);
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

/** A folder, made if missing and writable for everyone who may write in `like`. */
function makeShared(parent: string, name: string, like: Stats): PlainPath {
  const folder = find(parent, name);
  if (folder === undefined) return makeNew(parent, name, like);
  share(folder, like);
  return folder;
}

/** The same for a name that nothing has. */
export function makeNew(parent: string, name: string, like: Stats): PlainPath {
  makeIfFree(join(parent, name), like.mode & 0o777);
  const folder = find(parent, name) ?? refuse(join(parent, name));
  share(folder, like);
  return folder;
}

/** Undefined if nothing has the name. Throws FILESYSTEM_ERROR for a link or a file. */
function find(parent: string, name: string): PlainPath | undefined {
  const file = join(parent, name);
  return findFolder(file) ?? (exists(file) ? refuse(file) : undefined);
}

/** The umask and the group of this process may keep out a team that may write in the root. */
function share({ file, stats: { uid, gid, mode } }: PlainPath, like: Stats): void {
  if (process.platform === "win32") return;
  const owner = process.geteuid?.() === 0 ? like.uid : uid;
  const shared = (like.mode & 0o2777) | 0o700;
  // A folder of another user, or a root of a group that is not ours, stays unchanged.
  attempt(() => {
    if (uid !== owner || gid !== like.gid) chownSync(file, owner, like.gid);
    if ((mode & 0o2777) !== shared) chmodSync(file, shared);
  });
}

function refuse(file: string): never {
  const shown = file.slice(file.lastIndexOf(HOME));
  const message = `'${shown}' must be a folder, but is a link or a file. Remove it and try again.`;
  throw new UserError("FILESYSTEM_ERROR", message, { details: { path: shown } });
}
