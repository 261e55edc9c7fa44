import { diffStart } from "../lib/diff.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { locateDocument } from "../notes/document.ts";
import { matchesHash, shortHash } from "../notes/hash.ts";
import { STANDARD_FOLDERS } from "../notes/names.ts";
import { type FileChange, presentBytes } from "../storage/change-file.ts";
import { removeEmptyFolders } from "../storage/folders.ts";
import { blobMode } from "../storage/history-blobs.ts";
import { type Change, type Operation, readLog } from "../storage/history-log.ts";
import { gateOf } from "../storage/path-gate.ts";
import { contentOf } from "../storage/read.ts";
import { hashOrNull, projectOf, projectsOf } from "./history.ts";
import { findVersion, listVersions, oldBytes, type Version } from "./history-versions.ts";
import type { Workspace } from "./workspace.ts";

const MOST_DIFF_CHARS = 2000;

/** How to undo one operation: none of its files has changed since. */
export interface UndoStep {
  operation: Operation;
  /** In the order to make them. */
  changes: FileChange[];
}

export interface UndoPlan {
  /** Newest operation first. */
  steps: UndoStep[];
  /** Why the next operation cannot be undone. */
  conflict?: UserError;
}

/** Plans to undo the newest operations (of a project). Each is planned on the files as the earlier steps leave them. */
export function planUndo(
  root: string,
  { count, project }: { count: number; project?: string | undefined },
): UndoPlan {
  const files = new Files(root);
  const steps: UndoStep[] = [];
  for (const operation of undoable(root, project)) {
    if (steps.length === count) break;
    try {
      const changes = planStep(root, operation, files);
      // It never happened: the process ended before it changed its file.
      if (changes.length === 0) continue;
      steps.push({ operation, changes });
    } catch (error) {
      if (error instanceof UserError) return { steps, conflict: error };
      throw error;
    }
  }
  return { steps };
}

/** Newest first, without what is undone, what undid it, and what is kept only in part. */
function undoable(root: string, project: string | undefined): Operation[] {
  const { operations } = readLog(root);
  const undone = new Set(operations.map(({ undoes }) => undoes));
  return operations
    .reverse()
    .filter(({ id, undoes, partial }) => undoes === undefined && !undone.has(id) && partial !== true)
    .filter((operation) => project === undefined || projectsOf(operation).includes(project));
}

/** The files as the changes planned so far leave them. */
class Files {
  readonly #root: string;
  readonly #planned = new Map<string, Buffer | null>();

  constructor(root: string) {
    this.#root = root;
  }

  read(path: string): Buffer | null {
    const planned = this.#planned.get(this.#fileOf(path));
    return planned === undefined ? presentBytes(this.#root, path) : planned;
  }

  change(path: string, bytes: Buffer | null): void {
    this.#planned.set(this.#fileOf(path), bytes);
  }

  /** On many disks, names that differ only in letter case are one file. */
  #fileOf(path: string): string {
    return gateOf(this.#root).resolve(path)?.file ?? path;
  }
}

function planStep(root: string, { changes }: Operation, files: Files): FileChange[] {
  return [...changes].reverse().flatMap((change) => {
    const { path } = change;
    const now = files.read(path);
    const hash = hashOrNull(now);
    if (hash === change.before) return [];
    if (hash !== change.after) throw changedSince(change, now, oldBytes(root, change));
    const mode = change.before === null ? undefined : blobMode(root, change.before);
    const after = oldBytes(root, change);
    files.change(path, after);
    return [{ path, before: now, after, mode }];
  });
}

/** Undoes one operation, as an operation of its own. Throws CONFLICT if a file has changed since it was planned. */
export async function undo(workspace: Workspace, { operation, changes }: UndoStep): Promise<void> {
  const { id, made } = operation;
  await workspace.lockedAll(projectsOf(operation), (lockOf) =>
    workspace.history.changeAll(changes, lockOf, { undoes: id }),
  );
  if (made !== undefined) await removeEmptyFolders(workspace.root, made, STANDARD_FOLDERS);
  for (const { path, after } of changes)
    if (after !== null && locateDocument(path) !== null) await workspace.indexDocument(path);
}

/**
 * Gives a file the bytes of a version; `before` of the answer is null if it did not exist. Throws CONFLICT with the difference if
 * another program changed the file since the last recorded change, unless `expectedHash` says that this is known.
 */
export async function restoreVersion(
  workspace: Workspace,
  { expectedHash, ...name }: { path: string; version: string; expectedHash?: string | undefined },
): Promise<{ path: string; before: Buffer | null; after: Buffer; indexed: boolean }> {
  const { root } = workspace;
  const { found, bytes: after } = findVersion(root, name);
  const { path } = found;
  return workspace.lockedAll([projectOf(path)], async (lockOf) => {
    const before = presentBytes(root, path);
    checkKnown(root, found, { before, after, expectedHash });
    const mode = blobMode(root, found.before ?? "");
    if (!before?.equals(after)) await workspace.history.changeAll([{ path, before, after, mode }], lockOf);
    const indexed = locateDocument(path) !== null && (await workspace.indexDocument(path));
    return { path, before, after, indexed };
  });
}

interface Restore {
  before: Buffer | null;
  after: Buffer;
  expectedHash: string | undefined;
}

function checkKnown(root: string, found: Version, { before, after, expectedHash }: Restore): void {
  const hash = hashOrNull(before);
  if (expectedHash !== undefined) {
    if (!matchesHash(hash ?? undefined, expectedHash)) throw changedSince(found, before, after);
    return;
  }
  const [newest] = listVersions(root, { path: found.path });
  if (before !== null && hash !== newest?.after) throw changedSince(found, before, after);
}

/** `old` is what would replace the present bytes. */
function changedSince({ path }: Change, now: Buffer | null, old: Buffer | null): UserError {
  const change = now === null ? "was removed" : "was changed";
  const message = `${quoteName(path)} ${change} by another program since.`;
  const hash = hashOrNull(now);
  const details = {
    path: escapeName(path),
    ...(hash !== null && { hash: shortHash(hash) }),
    diff: diffStart(textOf(now), textOf(old), MOST_DIFF_CHARS),
  };
  return new UserError("CONFLICT", message, { details, next: "restore-anyway" });
}

export function textOf(bytes: Buffer | null): string {
  return bytes === null ? "" : contentOf(bytes).text;
}
