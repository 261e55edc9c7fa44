import { groupBy } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { pathKey } from "../lib/file-names.ts";
import { nearest } from "../lib/text.ts";
import { projectOf } from "../notes/names.ts";
import { presentContent } from "../storage/change-file.ts";
import { attempt } from "../storage/fs-errors.ts";
import { contentOf, type FileContent } from "../storage/read.ts";
import { readBlob } from "./blobs.ts";
import type { History } from "./history.ts";
import { isProven } from "./proof.ts";
import { seenOperations } from "./read-log.ts";
import type { Change, Operation } from "./record.ts";

/** A file as it was before an operation changed it. */
export interface Version extends Change {
  /** The id of the operation. */
  change: string;
  time: string;
  tool: string;
  client: string;
  agent?: string;
  /** Whether a person did it, which only this machine can prove. */
  person?: true;
  kind: "created" | "replaced" | "deleted" | "moved";
  /** The file's path before a move. */
  moved_from?: string;
  /** Its path after a move. */
  moved_to?: string;
}

type Place = Pick<History, "root" | "state">;

export interface VersionFilter {
  project?: string | undefined;
  path?: string | undefined;
  change?: string | undefined;
}

/** How many operations are read to count them: more would take a while. */
const MAX_COUNTED = 10_000;
/** Suggestions are chosen among this many paths. */
const MAX_SUGGESTED = 10_000;

export interface VersionPage {
  versions: Version[];
  /** How many there are; undefined if there are too many to count. */
  total: number | undefined;
  hasMore: boolean;
}

/** A page of the recorded versions that match, newest first. The log is read until the page is full, and on to count the rest. */
export async function listVersions(
  history: Place,
  filter: VersionFilter,
  { offset = 0, limit = Number.POSITIVE_INFINITY } = {},
): Promise<VersionPage> {
  const { root } = history;
  const matches = await matcher(root, filter);
  const versions: Version[] = [];
  let [total, read] = [0, 0];
  for await (const operation of seenOperations(root)) {
    if (total > offset + limit && ++read > MAX_COUNTED) return { versions, total: undefined, hasMore: true };
    for (const version of versionsOf(operation)) {
      if (!matches(version)) continue;
      if (total >= offset && total < offset + limit) versions.push(proven(history, operation, version));
      total++;
    }
  }
  return { versions, total, hasMore: total > offset + limit };
}

function proven(history: Place, operation: Operation, version: Version): Version {
  return isProven(history, operation) ? { ...version, person: true } : version;
}

async function matcher(root: string, { project, path, change }: VersionFilter) {
  const key = project === undefined ? undefined : pathKey(project);
  const wanted = path === undefined ? undefined : await recordedPath(root, path);
  return (one: Version) =>
    (key === undefined || pathKey(projectOf(one.path)) === key) &&
    (path === undefined || one.path === wanted) &&
    (change === undefined || one.change === change);
}

/** The path that a record has: `.md`, letter case and Unicode composition of the given one may differ. */
export async function recordedPath(root: string, given: string): Promise<string | undefined> {
  const names = namesOf(given);
  const keys = names.map(pathKey);
  const alike = new Set<string>();
  for await (const { changes } of seenOperations(root))
    for (const { path } of changes) {
      if (path === names[0]) return path;
      if (keys.includes(pathKey(path))) alike.add(path);
    }
  const [first, ...others] = alike;
  if (names[1] !== undefined && alike.has(names[1])) return names[1];
  return others.length === 0 ? first : undefined;
}

function namesOf(given: string): string[] {
  const path = given.replace(/^(?:\.?\/)+/, "");
  return [path, `${path}.md`];
}

/** Paths that have a history, newest first: enough to suggest some. */
export async function recordedPaths(root: string): Promise<string[]> {
  const paths = new Set<string>();
  for await (const { changes } of seenOperations(root)) {
    for (const { path } of changes) paths.add(path);
    if (paths.size >= MAX_SUGGESTED) break;
  }
  return [...paths].slice(0, MAX_SUGGESTED);
}

/** Operations by their ids, newest first. Throws INVALID_ARGUMENT if one is missing. */
export async function findOperations(root: string, ids: readonly string[]): Promise<Operation[]> {
  const missing = new Set(ids);
  const found: Operation[] = [];
  for await (const operation of seenOperations(root)) {
    if (missing.delete(operation.id)) found.push(operation);
    if (missing.size === 0) return found;
  }
  const [id = ""] = missing;
  const message = `There is no change ${quoteName(id, 40)}. Call history to list the changes.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { change: escapeName(id, 40) } });
}

export function versionsOf({ id, time, tool, client, agent, changes, partial }: Operation): Version[] {
  const { made, removed } = movesOf(partial === true ? [] : changes);
  const [sources, targets] = [removed.values(), made.values()];
  return changes.map((change): Version => {
    const from: string | undefined = change.before === null ? sources.next().value?.path : undefined;
    const to: string | undefined = change.after === null ? targets.next().value?.path : undefined;
    const kind = from === undefined && to === undefined ? kindOf(change) : "moved";
    const common = { ...change, change: id, time, tool, client, kind } as const;
    return {
      ...common,
      ...(agent !== undefined && { agent }),
      ...(from !== undefined && { moved_from: from }),
      ...(to !== undefined && { moved_to: to }),
    };
  });
}

/** The new places and the old ones: a move lists both in the same order. */
export function movesOf<T extends { before: unknown; after: unknown }>(changes: readonly T[]) {
  const made = changes.filter(({ before }) => before === null);
  const removed = changes.filter(({ after }) => after === null);
  return made.length === removed.length ? { made, removed } : { made: [] as T[], removed: [] as T[] };
}

function kindOf({ before, after }: Change): Version["kind"] {
  if (before !== null && after !== null) return "replaced";
  return before === null ? "created" : "deleted";
}

/** The other paths that the file at `path` had, as far as its moves are recorded. */
export function otherPaths(path: string, versions: readonly Version[]): string[] {
  const moves = groupBy(versions, (version) => version.path);
  const paths = new Set([path]);
  for (const known of paths)
    for (const { moved_from, moved_to } of moves.get(known) ?? [])
      for (const other of [moved_from, moved_to]) if (other !== undefined) paths.add(other);
  return [...paths].slice(1);
}

export interface FoundVersion {
  found: Version;
  content: FileContent;
}

/** One version with its bytes. Throws FILE_NOT_FOUND or INVALID_ARGUMENT, saying what there is. */
export async function findVersion(
  history: Place,
  { path, change }: { path?: string | undefined; change: string },
): Promise<FoundVersion> {
  const { root } = history;
  const { versions } = await listVersions(history, { path, change });
  const [found, other] = versions;
  if (found === undefined) throw await unknownVersion(root, { path, change });
  if (other !== undefined) {
    const message = `The change ${quoteName(change)} is of several files. Name one with 'path'; history lists them.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { change } });
  }
  return { found, content: contentOfVersion(root, found) };
}

function contentOfVersion(root: string, found: Version): FileContent {
  const content = oldContent(root, found);
  if (content !== null) return content;
  const { path, change, moved_from: from } = found;
  const message =
    from === undefined
      ? `The change ${quoteName(change)} created ${quoteName(path)}: there is no older text. Choose a change that has 'bytes'.`
      : `The change ${quoteName(change)} moved ${quoteName(from)} to ${quoteName(path)}. Give the old path to see its older texts.`;
  const suggestions = from === undefined ? [] : [escapeName(from)];
  const details = { path: escapeName(path), change, ...(from !== undefined && { suggestions }) };
  throw new UserError("INVALID_ARGUMENT", message, { details });
}

/** What a file held before a change; null if there was none. Throws FILE_NOT_FOUND if that is no longer kept. */
export function oldContent(root: string, { path, before, bytes: size }: Change): FileContent | null {
  if (before === null) return null;
  const bytes = readBlob(root, before, size);
  if (bytes !== undefined && bytes !== "damaged") return contentOf(bytes);
  const reason = bytes === "damaged" ? "is damaged" : "is no longer kept";
  const message = `The old text of ${quoteName(path)} ${reason}, so this change cannot be undone. Choose another change.`;
  throw new UserError("FILE_NOT_FOUND", message, { details: { path: escapeName(path) } });
}

/** What a file held after a change; undefined if that is not kept: another program changed the file since, or its path leads elsewhere. */
export function newText(root: string, { path, after }: Change): string | undefined {
  if (after === null) return "";
  const present = attempt(() => presentContent(root, path));
  if (present?.hash === after) return present.text;
  const bytes = readBlob(root, after);
  return bytes === undefined || bytes === "damaged" ? undefined : contentOf(bytes).text;
}

async function unknownVersion(root: string, name: { path?: string | undefined; change: string }) {
  const { path, change } = name;
  if (path === undefined || (await recordedPath(root, path)) !== undefined) {
    const message = `There is no change ${quoteName(change, 40)}. Call history to list the changes.`;
    return new UserError("INVALID_ARGUMENT", message, { details: { change: escapeName(change, 40) } });
  }
  const message = `${quoteName(path)} has no history. Call history to list the files that have one.`;
  const suggestions = nearest(path, await recordedPaths(root));
  return new UserError("FILE_NOT_FOUND", message, { details: { path: escapeName(path), suggestions } });
}
