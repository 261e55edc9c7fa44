import { lstatSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { once } from "../lib/collections.ts";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { escapeName, hasControlCharacter, quoteName } from "../lib/escape.ts";
import { projectOf } from "../notes/names.ts";
import { errorCode, fileError, isMissing, longPathError } from "./fs-errors.ts";
import { checkDisk, checkDisks } from "./mounts.ts";
import { findFolder, type OpenFile, openFile, type PlainPath } from "./open-entry.ts";

/**
 * The one way from a path below a root (`/` between its parts, `""` is the root) to a place on disk: links are resolved once, and where they
 * lead is checked. Who may write in the root is trusted not to swap links in during the call.
 */
export interface Gate {
  /** Absolute and link-free. Throws FILESYSTEM_ERROR if there is no root. */
  root(): string;
  /** Where a path leads; undefined if nothing is there. */
  resolve(path: string): PlainPath | undefined;
  /** Opens a regular file; undefined if there is none. */
  openFile(path: string): OpenFile | undefined;
  /** A folder; undefined if there is none. */
  findFolder(path: string): PlainPath | undefined;
  readonly rules: GateRules;
  /** The parts of a link-free file's path below the root, as they are on disk. */
  partsOf(file: string): string[];
}

export type Problem = "link" | "outside" | "no-folder" | "too-long";
export type Refusals = Record<Problem, (path: string) => UserError>;

/** What differs between the tools for documents and those of the vault. */
export interface GateRules {
  /** Whether links that stay inside the root are followed. */
  followsLinks: boolean;
  /** Throws UserError if the rules forbid a path, or the place it leads to. */
  check(parts: readonly string[], path: string): void;
  refusals: Refusals;
}

// On Windows a colon opens an alternate stream, a backslash separates, a trailing dot or space is dropped, and a device
// name opens the device.
const WINDOWS_TRAP = /[\\:]|[. ]$|^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const MAX_PART_BYTES = 255;
/** Folders on the way to a document, including its project. */
export const MAX_DEPTH = 64;

/** The gate of an absolute root, which is resolved only once: make a new gate for each call. */
export function gateOf(root: string, rules: GateRules = DOCUMENTS): Gate {
  const realRoot = once(() => realpathSync.native(root));
  const below = (file: string) => partsBelow(root, file) ?? partsBelow(realRoot(), file);
  const realFile = (path: string) => {
    const parts = partsOf(path, rules);
    if (!rules.followsLinks) refuseLinks(realRoot(), parts, path, rules);
    const file = parts.length === 0 ? realRoot() : realpathSync.native(join(root, ...parts));
    // Below the root as it is spelled, a link-free file shows that the root has no link either.
    const place = below(file);
    if (place === undefined) throw rules.refusals.outside(path);
    rules.check(place, path);
    return file;
  };
  const reach = <T>(action: string, path: string, use: (file: string) => T): T | undefined => {
    try {
      return use(realFile(path));
    } catch (error) {
      return undefinedOrThrow(error, rules, { root, action, path });
    }
  };
  return {
    rules,
    root: () => reachRoot(realRoot),
    resolve: (path) => reach("reach", path, (file) => ({ file, stats: statSync(file) })),
    openFile: (path) => reach("read", path, openFile),
    findFolder: (path) =>
      reach("list", path, (file) => {
        const folder = findFolder(file);
        return folder && checkDisk(root, path, folder);
      }),
    partsOf: (file) => below(file) ?? [],
  };
}

function reachRoot(realRoot: () => string): string {
  try {
    return realRoot();
  } catch (error) {
    throw fileError("reach", "the workspace", error);
  }
}

/** Undefined for a missing file; throws a UserError for anything else. */
function undefinedOrThrow(
  error: unknown,
  rules: GateRules,
  { root, action, path }: { root: string; action: string; path: string },
): undefined {
  if (isMissing(error)) return checkDisks(root, new Set(["", projectOf(path)]));
  if (error instanceof UserError) throw error;
  if (errorCode(error) === "ENAMETOOLONG") throw rules.refusals["too-long"](path);
  throw fileError(action, path || "the workspace", error);
}

/** Throws INVALID_PATH for a path that is hidden, climbs, or leaves the root by a link. */
const DOCUMENTS: GateRules = {
  followsLinks: true,
  check: (parts, path) => {
    if (!parts.every(isReadablePart)) throw invalidPath(path);
  },
  refusals: {
    link: invalidPath,
    outside: invalidPath,
    "no-folder": refusal("INVALID_PATH", "is a file, not a folder. Choose another folder."),
    "too-long": longPathError,
  },
};

/** For folders without documents: hidden names are allowed, and no link is followed. */
export const NO_LINKS: GateRules = {
  followsLinks: false,
  check: () => {},
  refusals: {
    link: unreachable("it is a link"),
    outside: unreachable("it is not a folder"),
    "no-folder": unreachable("it is not a folder"),
    "too-long": unreachable("it is not a folder"),
  },
};

/** Whether `file` (absolute, link-free) is `root` or below it, in no hidden folder and not hidden itself. */
export function isInside(root: string, file: string): boolean {
  return partsBelow(root, file)?.every((part) => !part.startsWith(".")) ?? false;
}

/** The parts of `file` below `root`, both absolute and link-free; undefined outside it. */
export function partsBelow(root: string, file: string): string[] | undefined {
  const path = relative(root, file);
  const parts = path === "" ? [] : path.split(sep);
  return isAbsolute(path) || parts[0] === ".." ? undefined : parts;
}

/** Throws for what the rules forbid. */
function partsOf(path: string, rules: GateRules): string[] {
  const parts = path === "" ? [] : path.split("/");
  rules.check(parts, path);
  return parts;
}

function refuseLinks(root: string, parts: readonly string[], path: string, rules: GateRules): void {
  let file = root;
  for (const part of parts) {
    file = join(file, part);
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw rules.refusals.link(path);
  }
}

/** Whether a part of a path may name an existing file or folder. */
export function isReadablePart(part: string): boolean {
  if (part === "" || part.startsWith(".") || hasControlCharacter(part)) return false;
  return process.platform !== "win32" || !WINDOWS_TRAP.test(part);
}

/** Whether every system can have this file of a project. U+FFFD stands for bytes that are no text. */
export function isPortablePath(path: string): boolean {
  const parts = path.split("/");
  if (parts.length === 1 || parts.length - 1 > MAX_DEPTH || path.includes("\uFFFD")) return false;
  return parts.every(isPortablePart);
}

function isPortablePart(part: string): boolean {
  return isReadablePart(part) && !WINDOWS_TRAP.test(part) && Buffer.byteLength(part) <= MAX_PART_BYTES;
}

function invalidPath(path: string): UserError {
  const problem = `${quoteName(path)} is not a path inside the workspace.`;
  return new UserError("INVALID_PATH", problem, {
    details: { path: escapeName(path) },
    next: "list-projects",
  });
}

function refusal(code: ErrorCode, problem: string): (path: string) => UserError {
  return (path) =>
    new UserError(code, `${quoteName(path)} ${problem}`, { details: { path: escapeName(path) } });
}

function unreachable(reason: string): (path: string) => UserError {
  return (path) => {
    const message = `Could not reach ${quoteName(path)}: ${reason}. Replace it with a folder.`;
    return new UserError("FILESYSTEM_ERROR", message, { details: { path: escapeName(path) } });
  };
}
