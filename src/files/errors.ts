import { UserError } from "../lib/errors.ts";

const MEANINGS: Record<string, string> = {
  EACCES: "the permission is missing",
  EPERM: "the permission is missing",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk answered with an error",
  EBUSY: "another program holds it",
  ENAMETOOLONG: "the name is too long for this disk",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ELOOP: "the links in it lead in a circle",
  ENOENT: "it does not exist",
};

/** The operating system's code of an error (`ENOENT`, …), or "" for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

/** What a failed file operation means, in words: never the system's own message, which names absolute paths. */
export function reasonOf(error: unknown): string {
  return MEANINGS[errorCode(error)] ?? "the system refused it";
}

export function fileError(action: string, path: string, error: unknown): UserError {
  const message = `Could not ${action} '${path}': ${reasonOf(error)}. Mend that and try again.`;
  return new UserError("FILESYSTEM_ERROR", message, { details: { path }, cause: error });
}
