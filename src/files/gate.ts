import { realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, isUnspeakable, quoteName } from "../lib/escape.ts";
import { once } from "../lib/once.ts";
import { fileError, isMissing } from "./errors.ts";

/** A file that passed the gate: `file` is its absolute, link-free place on disk. */
export interface GatedFile {
  file: string;
  stats: Stats;
}

// There a colon opens an alternate stream, a backslash separates, a last dot or space is dropped, and a device name
// opens the device.
const WINDOWS_TRAP = /[\\:]|[. ]$|^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Whether `file` (absolute, link-free) is `root` or lies below it, at no hidden place. */
export function isInside(root: string, file: string): boolean {
  const path = relative(root, file);
  return !isAbsolute(path) && !path.split(sep).some((part) => part.startsWith("."));
}

/**
 * The one way from a workspace-relative path (`/` between its parts) to an existing file or folder.
 * Undefined when nothing is there. Throws INVALID_PATH for a path that is hidden, climbs, or leaves the root by a link.
 */
export function resolveExisting(root: string, path: string): GatedFile | undefined {
  return resolved(path, () => {
    const file = realFile(realpathSync.native(root), path);
    return { file, stats: statSync(file) };
  });
}

/** The same for many paths of one root, whose own place is looked up once; answers the absolute, link-free file. */
export function fileResolver(root: string): (path: string) => string | undefined {
  const realRoot = once(() => realpathSync.native(root));
  return (path) => resolved(path, () => realFile(realRoot(), path));
}

function realFile(realRoot: string, path: string): string {
  const parts = path.split("/");
  if (!parts.every(isReadablePart)) throw invalidPath(path);
  const file = realpathSync.native(join(realRoot, ...parts));
  if (!isInside(realRoot, file)) throw invalidPath(path);
  return file;
}

function resolved<T>(path: string, resolve: () => T): T | undefined {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (isMissing(error)) return undefined;
    throw fileError("reach", path, error);
  }
}

/** Whether a part of a path may name something that exists. */
export function isReadablePart(part: string): boolean {
  if (part === "" || part.startsWith(".") || isUnspeakable(part)) return false;
  return process.platform !== "win32" || !WINDOWS_TRAP.test(part);
}

function invalidPath(path: string): UserError {
  return new UserError(
    "INVALID_PATH",
    `${quoteName(path)} is not a path inside the workspace. Use names as list_projects shows them: no '..', no hidden or absolute names, no links that lead out.`,
    { details: { path: escapeName(path) } },
  );
}
