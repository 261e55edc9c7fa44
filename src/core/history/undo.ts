import { diffStart } from "../lib/diff.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { pauses } from "../lib/pauses.ts";
import { matchesHash, shortHash } from "../notes/hash.ts";
import { canMerge, mergeNotes } from "../notes/merge/merge.ts";
import { ARCHIVE, STANDARD_FOLDERS } from "../notes/names.ts";
import { isSessionPath } from "../notes/session/file.ts";
import { type FileChange, presentContent } from "../storage/change-file.ts";
import { removeEmptyFolders } from "../storage/folders.ts";
import { attempt } from "../storage/fs-errors.ts";
import { gateOf } from "../storage/path-gate.ts";
import { contentOf, type FileContent } from "../storage/read.ts";
import { blobMode, readBlob } from "./blobs.ts";
import { hashOrNull, projectsOf } from "./operation.ts";
import { readBackwards } from "./read-log.ts";
import type { Change, Operation } from "./record.ts";
import { type FoundVersion, findOperations, listVersions, oldContent } from "./versions.ts";

const MAX_DIFF_CHARS = 2000;
const MAX_NAMED = 10;

/** How to undo one operation; what others change in the same files stays. */
export interface UndoStep {
  operation: Operation;
  /** In the order to make them. */
  changes: FileChange[];
}

export interface UndoPlan {
  /** Newest operation first. */
  steps: UndoStep[];
  /** Newer operations that can never be undone: their texts are no longer kept. */
  skipped: Operation[];
  /** Newer operations of which the files hold nothing: they never happened, or another program took them back. */
  gone: Operation[];
  /** Operations that are dated ahead of the clock: what is planted there would always be the newest. */
  ahead: Dated[];
  /** Why the next operation cannot be undone. */
  conflict?: UserError;
}

export type Dated = Pick<Operation, "id" | "time">;

interface UndoRequest {
  count: number;
  project?: string | undefined;
  now: Date;
}

const DAY_MS = 24 * 3_600_000;

/** Plans to undo the newest operations (of a project). Each is planned on the files as the earlier steps leave them. */
export async function planUndo(root: string, request: UndoRequest): Promise<UndoPlan> {
  const plan = await planNewest(root, request);
  if (request.count > 1) return plan;
  const [step] = plan.steps;
  const [gone = step && (await newestFailed(root, request.project))] = plan.gone;
  return gone === undefined
    ? plan
    : { ...plan, steps: [], gone: [], conflict: isGone(gone, step?.operation) };
}

async function planNewest(root: string, { count, project, now }: UndoRequest): Promise<UndoPlan> {
  const latest = new Date(now.getTime() + DAY_MS).toISOString();
  let files = new Files(root);
  const plan: UndoPlan = { steps: [], skipped: [], gone: [], ahead: [] };
  for await (const operation of undoable(root, { project, latest, ahead: plan.ahead })) {
    try {
      const planned = files.copy();
      const changes = await planStep(root, operation, planned);
      files = planned;
      if (changes.length > 0) plan.steps.push({ operation, changes });
      else if (operation.changes.some(({ before, after }) => before !== after)) plan.gone.push(operation);
      if (plan.steps.length === count) break;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (error.code === "CONFLICT") return { ...plan, conflict: error };
      plan.skipped.push(operation);
    }
  }
  return plan;
}

/** The newest change (of a project), if it did not happen: an undo means no other one then. */
async function newestFailed(root: string, project: string | undefined): Promise<Operation | undefined> {
  const newest = async (voided: boolean) => {
    for await (const operation of readBackwards(root, { voided }))
      if (project === undefined || projectsOf(operation).includes(project)) return operation;
    return undefined;
  };
  const last = await newest(true);
  const isMade = last?.undoes !== undefined || last?.id === (await newest(false))?.id;
  return isMade ? undefined : last;
}

function isGone({ tool, time }: Operation, before: Operation | undefined): UserError {
  const newest = `the newest change (${tool}, ${time.slice(0, 16).replace("T", " ")} UTC)`;
  const message = `Nothing is left of ${newest}: it failed, or another program took it back.`;
  if (before === undefined) return new UserError("CONFLICT", message);
  const next = `To undo the one before it, name its id: ${before.id}.`;
  return new UserError("CONFLICT", `${message} ${next}`, { details: { change: before.id } });
}

/**
 * Plans to undo exactly these operations, newest first. What others changed in the same files since stays, if the two can be told
 * apart. Throws INVALID_ARGUMENT, and CONFLICT if they cannot.
 */
export async function planUndoOf(root: string, ids: readonly string[]): Promise<UndoStep[]> {
  const operations = await findOperations(root, ids);
  const files = new Files(root);
  const steps: UndoStep[] = [];
  for (const operation of operations) {
    if (operation.partial === true) throw isPartial(operation);
    const changes = await planStep(root, operation, files);
    if (changes.length > 0) steps.push({ operation, changes });
  }
  return steps;
}

function isPartial({ id }: Operation): UserError {
  const message = `Only a part of the change ${quoteName(id)} is still kept, so it cannot be undone. Restore a version of each file instead.`;
  return new UserError("INVALID_ARGUMENT", message, { details: { change: id } });
}

/** Newest first, without what is undone, what undid it, and what is kept only in part; those after `latest` go to `ahead`. */
async function* undoable(
  root: string,
  { project, latest, ahead }: Pick<UndoRequest, "project"> & { latest: string; ahead: Dated[] },
): AsyncGenerator<Operation> {
  const undone = new Set<string>();
  for await (const operation of readBackwards(root)) {
    const { id, undoes, partial, time } = operation;
    if (undone.has(id)) continue;
    const isMeant = project === undefined || projectsOf(operation).includes(project);
    if (time > latest) {
      if (isMeant) ahead.push({ id, time });
    } else if (undoes !== undefined) undone.add(undoes);
    else if (partial !== true && isMeant) yield operation;
  }
}

/** The files as the changes planned so far leave them. */
class Files {
  readonly #root: string;
  readonly #planned = new Map<string, FileContent | null>();

  constructor(root: string) {
    this.#root = root;
  }

  read(path: string): FileContent | null {
    const planned = this.#planned.get(this.#fileOf(path));
    return planned === undefined ? presentContent(this.#root, path) : planned;
  }

  copy(): Files {
    const files = new Files(this.#root);
    for (const [file, bytes] of this.#planned) files.#planned.set(file, bytes);
    return files;
  }

  change(path: string, content: FileContent | null): void {
    this.#planned.set(this.#fileOf(path), content);
  }

  /** On many disks, names that differ only in letter case are one file. */
  #fileOf(path: string): string {
    return gateOf(this.#root).resolve(path)?.file ?? path;
  }
}

/** What undoes an operation. Throws CONFLICT, with all files in which it cannot be told from what came later. */
async function planStep(root: string, { changes }: Operation, files: Files): Promise<FileChange[]> {
  const planned: FileChange[] = [];
  const pause = pauses();
  const changed: { change: Change; now: FileContent | null }[] = [];
  for (const change of [...changes].reverse()) {
    await pause();
    const now = files.read(change.path);
    const hash = hashOrNull(now);
    if (hash === change.before) continue;
    const old = oldContent(root, change);
    const isNewest = hash === change.after;
    const after = isNewest ? old : withoutChange(root, change, { now, old });
    if (after !== undefined && hashOrNull(after) === hash) continue;
    if (after === undefined) changed.push({ change, now });
    files.change(change.path, after ?? old);
    planned.push({ path: change.path, before: now, after: after ?? old, mode: modeBefore(root, change) });
  }
  const [first] = changed;
  if (first === undefined) return planned;
  const paths = changed.map(({ change }) => change.path).reverse();
  throw changedSince(first.change, { now: first.now, old: oldContent(root, first.change), paths });
}

/** A text that changed since, without this change; undefined if that cannot be told from what came later. */
function withoutChange(
  root: string,
  { path, after }: Change,
  { now, old }: { now: FileContent | null; old: FileContent | null },
): FileContent | undefined {
  const bytes = after === null ? undefined : readBlob(root, after);
  if (bytes === undefined || bytes === "damaged" || now === null || old === null) return undefined;
  const then = contentOf(bytes);
  if (!canMerge([then, now, old])) return undefined;
  const texts = { base: then.text, ours: now.text, theirs: old.text };
  const { text, conflicts } = mergeNotes(texts, { isSession: isSessionPath(path) });
  return conflicts === 0 ? contentOf(Buffer.from(text)) : undefined;
}

/** The permission bits in a record; for a record without them, those of the stored text. */
function modeBefore(root: string, { before, mode }: Change): number | undefined {
  return mode ?? (before === null ? undefined : blobMode(root, before));
}

/** What undoes an operation now, under the locks of its projects. Throws CONFLICT. */
export function changesNow(root: string, operation: Operation): Promise<FileChange[]> {
  return planStep(root, operation, new Files(root));
}

/** What `undo` leaves of a project that the operation made goes. */
export async function removeMade(root: string, { made }: Operation): Promise<void> {
  for (const folder of made === undefined ? [] : [`${made}/${ARCHIVE}`, made])
    await removeEmptyFolders(root, folder, STANDARD_FOLDERS);
}

/**
 * What a file holds that shall get the bytes of a version, and what it held last if it is gone; under the lock of its project.
 * Throws CONFLICT with the difference if another program changed it since the last recorded change, unless `expectedHash` says
 * that this is known.
 */
export async function planRestore(
  root: string,
  { found, content }: FoundVersion,
  expectedHash: string | undefined,
): Promise<{ before: FileContent | null; last: FileContent | null; mode: number | undefined }> {
  const { path } = found;
  const before = presentContent(root, path);
  const [newest] = (await listVersions({ root, state: undefined }, { path }, { limit: 1 })).versions;
  const isKnown =
    expectedHash === undefined
      ? before === null || before.hash === newest?.after
      : matchesHash(before?.hash, expectedHash);
  if (!isKnown) throw changedSince(found, { now: before, old: content });
  const last = before ?? (newest && attempt(() => oldContent(root, newest))) ?? null;
  return { before, last, mode: modeBefore(root, found) };
}

interface Changed {
  now: FileContent | null;
  /** What would replace the present bytes. */
  old: FileContent | null;
  /** All files of the operation that changed. */
  paths?: readonly string[];
}

function changedSince({ path }: Change, { now, old, paths = [path] }: Changed): UserError {
  const hash = hashOrNull(now);
  const details = {
    path: escapeName(path),
    ...(paths.length > 1 && { paths: paths.map((one) => escapeName(one)) }),
    ...(hash !== null && { hash: shortHash(hash) }),
    diff: diffStart(now?.text ?? "", old?.text ?? "", MAX_DIFF_CHARS),
  };
  const one = `${quoteName(path)} ${now === null ? "was removed" : "was changed"}`;
  const message = `${paths.length > 1 ? `${listNames(paths, MAX_NAMED)} were changed` : one} since.`;
  return new UserError("CONFLICT", message, { details, next: "restore-anyway" });
}
