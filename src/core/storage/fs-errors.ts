import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";

const MEANINGS = new Map([
  ["EACCES", "the permission is missing"],
  ["EPERM", "the permission is missing"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open"],
  ["EIO", "the disk answered with an error"],
  ["EBUSY", "another program holds it"],
  ["ENAMETOOLONG", "the name is too long for this disk"],
  ["EISDIR", "it is a folder"],
  ["EFTYPE", "it is not a regular file"],
  // For opening a socket, or a device without a driver.
  ["ENXIO", "it is not a regular file"],
  ["EFBIG", "it is too large"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["ELOOP", "its links lead in a circle"],
  ["ENOENT", "it does not exist"],
  ["EEXIST", "its name is taken"],
]);

/** The operating system's code of an error (`ENOENT`, …), or "" for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** An error like the system's, for files that we refuse ourselves. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

/** Runs file calls; undefined if the file is missing. */
export function ifPresent<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Runs file calls; undefined if they fail for any reason. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Runs file calls that may fail for any reason; false if they did. */
export function succeeds(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** What a failed file operation means, in words: never the system's own message, which names absolute paths. */
export function reasonOf(error: unknown): string {
  return MEANINGS.get(errorCode(error)) ?? "the system refused it";
}

/** `path` is workspace-relative: an absolute one would show a client where the workspace is. */
export function fileError(action: string, path: string, error: unknown): UserError {
  if (errorCode(error) === "ENAMETOOLONG") return longPathError(path);
  const message = `Could not ${action} ${quoteName(path)}: ${reasonOf(error)}. Fix that and try again.`;
  const shown = escapeName(path);
  return new UserError("FILESYSTEM_ERROR", message, { details: { path: shown }, cause: error });
}

/** A failed file call that no closer place put into words; undefined for any other error. */
export function unnamedFileError(error: unknown): UserError | undefined {
  if (!MEANINGS.has(errorCode(error))) return undefined;
  const message = `A file of the workspace could not be used: ${reasonOf(error)}. Fix that and try again.`;
  return new UserError("FILESYSTEM_ERROR", message, { cause: error });
}

export function longPathError(path: string): UserError {
  const message = `${quoteName(path)} is too long for this disk: each part of a path may have 255 bytes. Use a shorter name.`;
  return new UserError("INVALID_PATH", message, { details: { path: escapeName(path) } });
}

/** Why something failed, as the end of a sentence. */
export function explain(error: unknown): string {
  return error instanceof UserError ? error.problem.replace(/\.$/, "") : reasonOf(error);
}

/** Runs file operations; a system error becomes a UserError in words. */
export async function guarded<T>(action: string, path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof UserError ? error : fileError(action, path, error);
  }
}
