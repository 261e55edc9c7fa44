import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import { readBlob } from "../storage/history-blobs.ts";
import { type Change, type Operation, readLog } from "../storage/history-log.ts";
import { lockKey } from "../storage/locks.ts";
import { projectOf } from "./history.ts";

/** A file as it was before an operation changed it. */
export interface Version extends Change {
  /** The operation. */
  version: string;
  time: string;
  tool: string;
  client: string;
  change: "created" | "replaced" | "deleted" | "moved";
}

export interface VersionFilter {
  project?: string | undefined;
  path?: string | undefined;
  version?: string | undefined;
}

/** The recorded versions that match, newest first. */
export function listVersions(root: string, filter: VersionFilter): Version[] {
  const key = filter.project === undefined ? undefined : lockKey(filter.project);
  const matches = ({ path, version }: Version) =>
    (key === undefined || lockKey(projectOf(path)) === key) &&
    (filter.path === undefined || path === filter.path) &&
    (filter.version === undefined || version === filter.version);
  return readLog(root).operations.reverse().flatMap(versionsOf).filter(matches);
}

function versionsOf({ id, time, tool, client, changes }: Operation): Version[] {
  const hasMoved =
    changes.some(({ after }) => after === null) && changes.some(({ before }) => before === null);
  return changes.map((change) => ({
    ...change,
    ...{ version: id, time, tool, client },
    change: kindOf(change, hasMoved),
  }));
}

function kindOf({ before, after }: Change, hasMoved: boolean): Version["change"] {
  if (before !== null && after !== null) return "replaced";
  if (hasMoved) return "moved";
  return before === null ? "created" : "deleted";
}

/** One version with its bytes. Throws FILE_NOT_FOUND or INVALID_ARGUMENT, saying what there is. */
export function findVersion(
  root: string,
  { path, version }: { path?: string | undefined; version: string },
): { found: Version; bytes: Buffer } {
  const [found, other] = listVersions(root, { path, version });
  if (found === undefined) throw unknownVersion(root, { path, version });
  if (other !== undefined) {
    const message = `Version ${quoteName(version)} changed several files. Name one with 'path'; history lists them.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { version } });
  }
  return { found, bytes: bytesOf(root, found) };
}

function bytesOf(root: string, found: Version): Buffer {
  const bytes = oldBytes(root, found);
  if (bytes !== null) return bytes;
  const { path, version } = found;
  const message = `Version ${quoteName(version)} created ${quoteName(path)}: there is no older text. Choose a version that has 'bytes'.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { path: escapeName(path), version } });
}

/** What a file held before a change; null if there was none. Throws FILE_NOT_FOUND if that is no longer kept. */
export function oldBytes(root: string, { path, before }: Change): Buffer | null {
  if (before === null) return null;
  const bytes = readBlob(root, before);
  if (bytes !== undefined && bytes !== "damaged") return bytes;
  const reason = bytes === "damaged" ? "is damaged" : "is no longer kept";
  const message = `The old text of ${quoteName(path)} ${reason}, so this change cannot be undone. Choose another version.`;
  throw new UserError("FILE_NOT_FOUND", message, { details: { path: escapeName(path) } });
}

function unknownVersion(root: string, { path, version }: { path?: string | undefined; version: string }) {
  const paths = [...new Set(listVersions(root, {}).map((known) => known.path))];
  if (path === undefined || paths.includes(path)) {
    const message = `There is no version ${quoteName(version, 40)}. Call history to list the versions.`;
    return new UserError("INVALID_ARGUMENT", message, { details: { version: escapeName(version, 40) } });
  }
  const message = `${quoteName(path)} has no history. Call history to list the files that have one.`;
  const suggestions = nearest(path, paths);
  return new UserError("FILE_NOT_FOUND", message, { details: { path: escapeName(path), suggestions } });
}
