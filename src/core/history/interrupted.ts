import { pathKey } from "../lib/file-names.ts";
import { dirname } from "../lib/paths.ts";
import { projectOf } from "../notes/names.ts";
import { changeFile, presentContent } from "../storage/change-file.ts";
import { attempt, explain } from "../storage/fs-errors.ts";
import { temporariesIn } from "../storage/inspect.ts";
import type { Lock } from "../storage/locks.ts";
import { gateOf } from "../storage/path-gate.ts";
import { holdProjects, type LockOf } from "../storage/project-locks.ts";
import { contentOf } from "../storage/read.ts";
import { sweepTemporary } from "../storage/temp-files.ts";
import { blobMode, readBlob, saveBlob } from "./blobs.ts";
import { type History, pruneIfDue } from "./history.ts";
import { describe, hashOrNull, newId, operationOf, projectsOf } from "./operation.ts";
import { purge } from "./prune.ts";
import type { Change, Operation } from "./record.ts";
import { appendRecord } from "./record-log.ts";

/**
 * Runs `work` while no other work on these projects runs, in any process. What a process left half changed there is undone
 * first.
 */
export async function locked<T>(
  history: History,
  projects: readonly string[],
  work: (lockOf: LockOf) => Promise<T>,
): Promise<T> {
  for (let isRetried = false; ; isRetried = true) {
    {
      await using held = await holdProjects(history.locks, projects);
      if (isRetried || interrupted(history, projects).length === 0) return await work(held.lockOf);
    }
    // Its files may be of further projects, whose locks come first.
    await recover(history, projects);
  }
}

/** For a server that starts: undoes what was interrupted, and removes what is too old or too much. */
export async function maintain(history: History): Promise<void> {
  await recover(history);
  pruneIfDue(history);
}

/** Removes the history of one path, or all of it. */
export function purgeHistory(history: History, path?: string): Promise<void> {
  const { root, clock, journal } = history;
  const now = clock.now().getTime();
  return locked(history, path === undefined ? [] : [projectOf(path)], () =>
    purge(root, { path, now, open: () => journal.read() }),
  );
}

/** Undoes what was interrupted in these projects (default: all), once no process holds their locks. */
export async function recover(history: History, projects?: readonly string[]): Promise<void> {
  for (const operation of interrupted(history, projects)) {
    await undoInterrupted(history, operation).catch((error: unknown) => warnOpen(history, error));
  }
}

async function undoInterrupted(history: History, operation: Operation): Promise<void> {
  await using held = await holdProjects(history.locks, projectsOf(operation));
  const isOpen = history.journal.read().some(({ id }) => id === operation.id);
  if (!isOpen) return;
  await logRollBack(history, operation);
  await rollBack(history, operation, held.lockOf);
}

/** The operations on these projects that are running or were interrupted. */
function interrupted({ journal }: History, projects?: readonly string[]): Operation[] {
  const keys = projects && new Set(projects.map(pathKey));
  return journal
    .read()
    .filter(
      (operation) => keys === undefined || projectsOf(operation).some((name) => keys.has(pathKey(name))),
    );
}

/** What a rollback replaces is kept like that of any change. */
async function logRollBack(history: History, { id, tool, client, changes }: Operation): Promise<void> {
  const { root, bounds } = history;
  if (!bounds.on) return;
  const reverted: Change[] = [];
  for (const { path, before, after } of [...changes].reverse()) {
    const now = presentContent(root, path);
    if (before === after || hashOrNull(now) !== after) continue;
    if (now !== null) await saveBlob(root, path, now);
    reverted.push({ ...describe(root, { path, before: now, after: null }), after: before });
  }
  if (reverted.length === 0) return;
  appendRecord(root, { ...operationOf(history, [], id), tool, client, changes: reverted });
}

/** Gives the files of an operation their old bytes. Files that others changed meanwhile stay. */
export async function rollBack(history: History, operation: Operation, lockOf: LockOf): Promise<void> {
  const { root, bounds, log, journal, clock } = history;
  const left: Change[] = [];
  for (const change of [...operation.changes].reverse()) {
    const isBack = await revert(root, change, lockOf(change.path));
    if (!isBack) left.push(change);
  }
  for (const { path } of left)
    log.warn(`an interrupted change was undone, but ${path} has changed since and stays`);
  if (bounds.on) {
    // The old bytes of files that others changed meanwhile can still be restored.
    const { undoes: _, ...rest } = operation;
    if (left.length > 0) appendRecord(root, { ...rest, id: newId(), changes: left, partial: true });
    appendRecord(root, { void: operation.id, time: clock.now().toISOString() });
  }
  sweepBeside(history, operation);
  journal.close(operation.id);
}

/** What its process was writing beside the files: no sync may follow that meets it. */
function sweepBeside({ root, clock }: History, { changes }: Operation): void {
  const now = clock.now().getTime();
  for (const folder of new Set(changes.map(({ path }) => dirname(path)))) {
    const place = attempt(() => gateOf(root).resolve(folder));
    for (const file of place === undefined ? [] : temporariesIn(place.file)) sweepTemporary(file, now);
  }
}

async function revert(
  root: string,
  { path, before, after, bytes, mode }: Change,
  lock: Lock,
): Promise<boolean> {
  const now = presentContent(root, path);
  const hash = hashOrNull(now);
  if (hash === before) return true;
  const old = before === null ? null : readBlob(root, before, bytes);
  if (hash !== after || old === undefined || old === "damaged") return false;
  const bits = mode ?? (before === null ? undefined : blobMode(root, before));
  const restored = old === null ? null : contentOf(old);
  await changeFile(root, { path, before: now, after: restored, mode: bits }, { lock });
  return true;
}

export function warnOpen({ log }: History, error: unknown): void {
  const reason = `an interrupted change is not undone yet: ${explain(error)}`;
  log.warn(`${reason}. The next write tries again`);
}
