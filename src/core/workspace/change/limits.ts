import { type ErrorCode, UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { locateDocument } from "../../notes/document.ts";
import { MAX_DEPTH } from "../../storage/path-gate.ts";
import { MAX_DOCUMENT_BYTES } from "../../storage/walk.ts";

const MAX_MB = MAX_DOCUMENT_BYTES / 1024 / 1024;

/** The error codes of a family of tools. */
type Codes = Record<"path" | "argument", ErrorCode>;

export const VAULT_CODES: Codes = { path: "invalid_path", argument: "invalid_parameter" };
const CODES: Codes = { path: "INVALID_PATH", argument: "INVALID_ARGUMENT" };

/** Throws for a document that search would never find: one too deep or too large. */
export function checkDocument(path: string, bytes: number, codes = CODES): void {
  if (locateDocument(path) === null) return;
  const details = { path: escapeName(path) };
  if (path.split("/").length - 1 > MAX_DEPTH) {
    const message = `${quoteName(path)} is more than ${MAX_DEPTH} folders deep, where search does not look. Use a path with fewer folders.`;
    throw new UserError(codes.path, message, { details });
  }
  if (bytes > MAX_DOCUMENT_BYTES) throw tooLarge(path, codes);
}

/** For a document that would become larger than search reads. */
export function tooLarge(path: string, codes = CODES): UserError {
  const message = `${quoteName(path)} would be larger than ${MAX_MB} MB, the limit for a document. Split it into several files.`;
  return new UserError(codes.argument, message, {
    details: { path: escapeName(path), max_bytes: MAX_DOCUMENT_BYTES },
  });
}
