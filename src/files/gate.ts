import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, isUnspeakable, quoteName } from "../lib/escape.ts";
import { once } from "../lib/once.ts";
import { errorCode, fileError, isMissing, longPathError } from "./errors.ts";
import { type OpenPlace, openPlace } from "./place.ts";

/**
 * The one way from a path below a root (`/` between its parts, `""` is the root) to what lies there on disk. What it
 * opens is inside the root, whatever happens to the names on the way during the call.
 */
export interface Gate {
  /** Absolute and link-free. Throws FILESYSTEM_ERROR when there is no root. */
  root(): string;
  /** Where a path leads to; undefined when nothing is there. */
  resolve(path: string): GatedFile | undefined;
  /** Opens a regular file; undefined when there is none. */
  openFile(path: string): OpenPlace | undefined;
  /** Opens a folder; undefined when there is none. */
  openFolder(path: string): OpenPlace | undefined;
  readonly rules: GateRules;
  /** The parts of a link-free place below the root, as they are on disk. */
  partsOf(file: string): string[];
}

/** A place that passed the gate: `file` is absolute and link-free. */
export interface GatedFile {
  file: string;
  stats: Stats;
}

export type Problem = "link" | "outside" | "changing" | "no-folder" | "too-long";

/** What differs between the tools for documents and those of the vault. Both methods say no by a UserError. */
export interface GateRules {
  /** Whether links are followed that stay inside the root. */
  followsLinks: boolean;
  /** Throws for a path, or the place it leads to, that the rules close. */
  check(parts: readonly string[], path: string): void;
  refusal(problem: Problem, path: string): UserError;
}

// There a colon opens an alternate stream, a backslash separates, a last dot or space is dropped, and a device name
// opens the device.
const WINDOWS_TRAP = /[\\:]|[. ]$|^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const ATTEMPTS = 5;

/** The gate of a root, whose own place is looked up once: make one for each call. */
export function gateOf(root: string, rules: GateRules = DOCUMENTS): Gate {
  const realRoot = once(() => realpathSync.native(root));
  const resolve = (path: string) => realFile(realRoot(), path, rules);
  const open = (path: string, kind: "file" | "folder") =>
    missingOr({ rules, path, action: kind === "file" ? "read" : "list" }, () =>
      openAgain(path, { kind, rules, resolve: () => resolve(path) }),
    );
  return {
    rules,
    root: () => {
      try {
        return realRoot();
      } catch (error) {
        throw fileError("reach", "the workspace", error);
      }
    },
    resolve: (path) =>
      missingOr({ rules, path, action: "reach" }, () => {
        const file = resolve(path);
        return { file, stats: statSync(file) };
      }),
    openFile: (path) => open(path, "file"),
    openFolder: (path) => open(path, "folder"),
    partsOf: (file) => partsBelow(realRoot(), file) ?? [],
  };
}

/** Throws INVALID_PATH for a path that is hidden, climbs, or leaves the root by a link. */
const DOCUMENTS: GateRules = {
  followsLinks: true,
  check: (parts, path) => {
    if (!parts.every(isReadablePart)) throw invalidPath(path);
  },
  refusal: (problem, path) => {
    if (problem === "no-folder") return noFolder(path);
    if (problem === "too-long") return longPathError(path);
    return problem === "changing" ? changingPath(path) : invalidPath(path);
  },
};

/** For folders that are no documents': hidden names are theirs, and no link is followed. */
export const NO_LINKS: GateRules = {
  followsLinks: false,
  check: () => {},
  refusal: (problem, path) => {
    const reason =
      problem === "link" ? "it is a link" : problem === "changing" ? "it keeps changing" : "it is no folder";
    const message = `Could not reach ${quoteName(path)}: ${reason}. Put a folder of files in its place.`;
    return new UserError("FILESYSTEM_ERROR", message, { details: { path: escapeName(path) } });
  },
};

/** Whether `file` (absolute, link-free) is `root` or lies below it, at no hidden place. */
export function isInside(root: string, file: string): boolean {
  return partsBelow(root, file)?.every((part) => !part.startsWith(".")) ?? false;
}

function partsBelow(root: string, file: string): string[] | undefined {
  const path = relative(root, file);
  const parts = path === "" ? [] : path.split(sep);
  return isAbsolute(path) || parts[0] === ".." ? undefined : parts;
}

function realFile(root: string, path: string, rules: GateRules): string {
  const parts = partsOf(path);
  rules.check(parts, path);
  if (!rules.followsLinks) refuseLinks(root, parts, path, rules);
  const file = parts.length === 0 ? root : realpathSync.native(join(root, ...parts));
  checkPlace(root, file, path, rules);
  return file;
}

function partsOf(path: string): string[] {
  return path === "" ? [] : path.split("/");
}

function checkPlace(root: string, file: string, path: string, rules: GateRules): void {
  const parts = partsBelow(root, file);
  if (parts === undefined) throw rules.refusal("outside", path);
  rules.check(parts, path);
}

function refuseLinks(root: string, parts: readonly string[], path: string, rules: GateRules): void {
  let file = root;
  for (const part of parts) {
    file = join(file, part);
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw rules.refusal("link", path);
  }
}

interface Opening {
  kind: "file" | "folder";
  rules: GateRules;
  /** Where the path leads to now. */
  resolve: () => string;
}

/** What is replaced between two looks is looked at again. */
function openAgain(path: string, { kind, rules, resolve }: Opening): OpenPlace | undefined {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const opened = openPlace(resolve(), kind);
    if (opened !== "moved") return opened;
  }
  throw rules.refusal("changing", path);
}

interface Attempt {
  rules: GateRules;
  path: string;
  /** For messages: what could not be done. */
  action: string;
}

function missingOr<T>({ rules, path, action }: Attempt, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (isMissing(error)) return undefined;
    if (errorCode(error) === "ENAMETOOLONG") throw rules.refusal("too-long", path);
    throw fileError(action, path || "the workspace", error);
  }
}

/** Whether a part of a path may name something that exists. */
export function isReadablePart(part: string): boolean {
  if (part === "" || part.startsWith(".") || isUnspeakable(part)) return false;
  return process.platform !== "win32" || !WINDOWS_TRAP.test(part);
}

function invalidPath(path: string): UserError {
  const problem = `${quoteName(path)} is not a path inside the workspace.`;
  return new UserError("INVALID_PATH", problem, {
    details: { path: escapeName(path) },
    next: "list-projects",
  });
}

function changingPath(path: string): UserError {
  const message = `${quoteName(path)} keeps changing while it is opened. Try again.`;
  return new UserError("CONFLICT", message, { details: { path: escapeName(path) } });
}

function noFolder(path: string): UserError {
  const message = `${quoteName(path)} is a file, not a folder. Choose another folder.`;
  return new UserError("INVALID_PATH", message, { details: { path: escapeName(path) } });
}
