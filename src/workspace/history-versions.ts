import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import { pathKey } from "../notes/links.ts";
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
  /** The file's path before a move. */
  moved_from?: string;
  /** Its path after a move. */
  moved_to?: string;
}

export interface VersionFilter {
  project?: string | undefined;
  path?: string | undefined;
  version?: string | undefined;
}

/** The recorded versions that match, newest first. */
export function listVersions(root: string, filter: VersionFilter): Version[] {
  const key = filter.project === undefined ? undefined : lockKey(filter.project);
  const versions = readLog(root).operations.reverse().flatMap(versionsOf);
  const wanted = filter.path === undefined ? undefined : recordedPath(filter.path, versions);
  const matches = ({ path, version }: Version) =>
    (key === undefined || lockKey(projectOf(path)) === key) &&
    (filter.path === undefined || path === wanted) &&
    (filter.version === undefined || version === filter.version);
  return versions.filter(matches);
}

/** The path that a record has: `.md`, letter case and Unicode composition of the given one may differ. */
export function recordedPath(given: string, versions: readonly Version[]): string | undefined {
  const path = given.replace(/^(?:\.?\/)+/, "");
  const recorded = new Set(versions.map((version) => version.path));
  const exact = [path, `${path}.md`].find((name) => recorded.has(name));
  if (exact !== undefined) return exact;
  const keys = [path, `${path}.md`].map(pathKey);
  const [alike, ...others] = [...recorded].filter((name) => keys.includes(pathKey(name)));
  return others.length === 0 ? alike : undefined;
}

function versionsOf({ id, time, tool, client, changes, partial }: Operation): Version[] {
  const { made, removed } = movesOf(partial === true ? [] : changes);
  return changes.map((change): Version => {
    const from = change.before === null ? removed[made.indexOf(change)]?.path : undefined;
    const to = change.after === null ? made[removed.indexOf(change)]?.path : undefined;
    const kind = from === undefined && to === undefined ? kindOf(change) : "moved";
    const common = { ...change, version: id, time, tool, client, change: kind } as const;
    return {
      ...common,
      ...(from !== undefined && { moved_from: from }),
      ...(to !== undefined && { moved_to: to }),
    };
  });
}

/** The new places and the old ones: a move lists both in the same order. */
function movesOf(changes: readonly Change[]) {
  const made = changes.filter(({ before }) => before === null);
  const removed = changes.filter(({ after }) => after === null);
  return made.length === removed.length ? { made, removed } : { made: [], removed: [] };
}

function kindOf({ before, after }: Change): Version["change"] {
  if (before !== null && after !== null) return "replaced";
  return before === null ? "created" : "deleted";
}

/** The other paths that the file at `path` had, as far as its moves are recorded. */
export function otherPaths(path: string, versions: readonly Version[]): string[] {
  const paths = new Set([path]);
  for (const known of paths)
    for (const { path: at, moved_from, moved_to } of versions)
      for (const other of at === known ? [moved_from, moved_to] : [])
        if (other !== undefined) paths.add(other);
  return [...paths].slice(1);
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
  const { path, version, moved_from: from } = found;
  const message =
    from === undefined
      ? `Version ${quoteName(version)} created ${quoteName(path)}: there is no older text. Choose a version that has 'bytes'.`
      : `Version ${quoteName(version)} moved ${quoteName(from)} to ${quoteName(path)}. Give the old path to see its older texts.`;
  const suggestions = from === undefined ? [] : [escapeName(from)];
  const details = { path: escapeName(path), version, ...(from !== undefined && { suggestions }) };
  throw new UserError("INVALID_ARGUMENT", message, { details });
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
  if (path === undefined || listVersions(root, { path }).length > 0) {
    const message = `There is no version ${quoteName(version, 40)}. Call history to list the versions.`;
    return new UserError("INVALID_ARGUMENT", message, { details: { version: escapeName(version, 40) } });
  }
  const message = `${quoteName(path)} has no history. Call history to list the files that have one.`;
  const suggestions = nearest(path, paths);
  return new UserError("FILE_NOT_FOUND", message, { details: { path: escapeName(path), suggestions } });
}
