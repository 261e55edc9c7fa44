import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { errorCode, isMissing } from "./errors.ts";
import { makeFolder } from "./folders.ts";

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const HOME = ".vibe-mcp";
const LOCKS = "locks";

/** A folder that is open: on Linux no link that takes its place later changes what `at` names. */
export interface OpenFolder {
  /** For file calls. */
  readonly at: string;
  close(): void;
}

/** Where the locks of a workspace are; it need not exist. */
export function locksFolder(root: string): string {
  return join(root, HOME, LOCKS);
}

/** Opens the folder of locks, made when missing, for all who may write in the root. Throws FILESYSTEM_ERROR for a link. */
export function makeLocksFolder(root: string): { folder: OpenFolder; like: Stats } {
  makeFolder(root);
  const like = statSync(root);
  const home = makeShared(join(root, HOME), like, HOME);
  try {
    ignoreInGit(home.at);
    return { folder: makeShared(join(home.at, LOCKS), like, `${HOME}/${LOCKS}`), like };
  } finally {
    home.close();
  }
}

/** The same without making it; undefined when there is none. */
export function findLocksFolder(root: string): OpenFolder | undefined {
  let home: OpenFolder | undefined;
  try {
    home = enter(join(root, HOME), HOME);
    return enter(join(home.at, LOCKS), `${HOME}/${LOCKS}`);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    home?.close();
  }
}

function ignoreInGit(folder: string): void {
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Makes a folder, unless it is there, that those who may write in `like` may write in; `shown` names it in messages. */
export function makeShared(place: string, like: Stats, shown: string): OpenFolder {
  try {
    mkdirSync(place, like.mode & 0o777);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return enter(place, shown, like);
}

/** Opens a folder. Throws FILESYSTEM_ERROR for a link and for what is no folder. */
export function enter(place: string, shown: string, like?: Stats): OpenFolder {
  const isFolder = lstatSync(place).isDirectory();
  if (isFolder && process.platform === "win32") return { at: place, close: () => {} };
  try {
    if (!isFolder) throw noFolder(shown);
    const descriptor = openSync(place, FOLDER);
    if (like !== undefined) share(descriptor, like);
    const held = `/proc/self/fd/${descriptor}`;
    const at = process.platform === "linux" && existsSync(held) ? held : place;
    return { at, close: () => closeSync(descriptor) };
  } catch (error) {
    // A link that took its place just now.
    throw ["ELOOP", "ENOTDIR"].includes(errorCode(error)) ? noFolder(shown) : error;
  }
}

/** The umask and the group of this process may keep a team out that may write in the root. */
function share(descriptor: number, like: Stats): void {
  const { uid, gid, mode } = fstatSync(descriptor);
  const owner = process.geteuid?.() === 0 ? like.uid : uid;
  const wanted = (like.mode & 0o2777) | 0o700;
  try {
    if (uid !== owner || gid !== like.gid) fchownSync(descriptor, owner, like.gid);
    if ((mode & 0o2777) !== wanted) fchmodSync(descriptor, wanted);
  } catch {
    // It belongs to another user, or the root to a group that is not ours: then it stays as it was made.
  }
}

function noFolder(shown: string): UserError {
  const message = `'${shown}' is a link or a file, where the folder of the locks belongs. Remove it and try again.`;
  return new UserError("FILESYSTEM_ERROR", message, { details: { path: shown } });
}
