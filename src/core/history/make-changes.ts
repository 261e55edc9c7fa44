import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { pauses } from "../lib/pauses.ts";
import {
  changeFile,
  createAt,
  type FileChange,
  findFree,
  type Place,
  presentContent,
} from "../storage/change-file.ts";
import { attempt, explain } from "../storage/fs-errors.ts";
import { makeHome, makeInner } from "../storage/lock-folder.ts";
import type { KnownNames } from "../storage/new-file.ts";
import type { LockOf } from "../storage/project-locks.ts";
import { HISTORY, type Storing, saveBlob } from "./blobs.ts";
import { type History, pruneIfDue } from "./history.ts";
import { rollBack, warnOpen } from "./interrupted.ts";
import { hashOrNull, operationOf } from "./operation.ts";
import { proven } from "./proof.ts";
import { MAX_CHANGES, type Operation } from "./record.ts";
import { appendRecord } from "./record-log.ts";

/** How changes are made. */
export interface Making {
  /** The locks of the projects under which it was decided; one file may be created without. */
  lockOf?: LockOf | undefined;
  /** The operation that it takes back. */
  undoes?: string | undefined;
}

/** What was made: the id takes it back, and is undefined if no history is kept. */
export interface Made {
  id: string | undefined;
  places: Place[];
}

/**
 * Makes the changes in their order, as one operation: all of them or none, also after a crash. What they replace is stored first.
 * Throws FILESYSTEM_ERROR if that fails, and what changeFile throws.
 */
export async function makeChanges(
  history: History,
  changes: readonly FileChange[],
  making: Making = {},
): Promise<Made> {
  const [only, ...more] = changes;
  if (only === undefined) return { id: undefined, places: [] };
  if (changes.length > MAX_CHANGES) throw tooMany(changes.length);
  if (more.length > 0 || only.before !== null || only.write !== undefined)
    return record(history, changes, making);
  // What is refused is not recorded, and the record has the path as it is on the disk.
  const place = findFree(history.root, only.path);
  const write = () => createAt(place, only, making.lockOf?.(only.path));
  return await record(history, [{ ...only, path: place.path, write }], making);
}

async function record(
  history: History,
  changes: readonly FileChange[],
  { lockOf, undoes }: Making,
): Promise<Made> {
  const { root, bounds, journal } = history;
  const isWhole = changes.length > 1;
  // Without a history, only the interruption of several changes may need their old bytes.
  if (!bounds.on && !isWhole) return { id: undefined, places: await write(history, changes, { lockOf }) };
  const lock = lockOf?.(changes[0]?.path ?? "");
  const home = attempt(() =>
    lock === undefined ? makeHome(root, [HISTORY]) : makeInner(lock.home, [HISTORY]),
  );
  const operation = await proven(history, operationOf(history, changes, undoes));
  const isLogged = await begin(history, operation, { changes, home });
  const ready = storeAll(root, changes, { home, lock, isLogged });
  ready?.catch(() => {}); // The write may fail before it waits.
  try {
    if (isWhole) await ready;
    const places = await write(history, changes, { lockOf, ready });
    if (isWhole) journal.close(operation.id);
    if (isLogged) history.actor().onChange?.(operation);
    return { id: isLogged ? operation.id : undefined, places };
  } catch (error) {
    await ready?.catch(() => {});
    if (isWhole && lockOf !== undefined)
      await rollBack(history, operation, lockOf).catch((reason: unknown) => warnOpen(history, reason));
    else if (isLogged) attempt(() => voidUnlessDone(history, operation));
    throw error;
  } finally {
    pruneIfDue(history);
  }
}

/** Notes changes that are about to happen; false if they are not logged, which is no obstacle if nothing is replaced. */
async function begin(
  { root, bounds, journal, log }: History,
  operation: Operation,
  { changes, home }: Pick<Storing, "home"> & { changes: readonly FileChange[] },
): Promise<boolean> {
  const [{ path } = { path: "" }] = changes;
  try {
    if (changes.length > 1) await journal.open(operation);
    if (bounds.on) appendRecord(root, operation, home);
    return bounds.on;
  } catch (error) {
    attempt(() => journal.close(operation.id));
    if (changes.length > 1 || changes.some(({ before }) => before !== null)) throw notStored(path, error);
    log.warn(`${path} is not in the history: ${explain(error)}`);
    return false;
  }
}

/** Stores the old bytes, and for an undo beside later edits the new ones that replace them; undefined if nothing is replaced. */
function storeAll(
  root: string,
  changes: readonly FileChange[],
  { isLogged, ...storing }: Storing & { isLogged: boolean },
): Promise<void> | undefined {
  const replaced = changes.flatMap(({ path, before, after }) =>
    before === null ? [] : [{ path, before, after: isLogged ? after : null }],
  );
  if (replaced.length === 0) return undefined;
  const store = async () => {
    const pause = pauses();
    for (const { path, before, after } of replaced) {
      await saveBlob(root, path, before, storing).catch((error: unknown) => {
        throw notStored(path, error);
      });
      // Most are the old bytes of the next change. Without them, that undo is a conflict.
      if (after !== null) await saveBlob(root, path, after, storing).catch(() => {});
      await pause();
    }
  };
  return store();
}

async function write(
  { root, onWrite }: History,
  changes: readonly FileChange[],
  { lockOf, ready }: Pick<Making, "lockOf"> & { ready?: Promise<void> | undefined },
): Promise<Place[]> {
  const known: KnownNames = new Map();
  const pause = pauses();
  const places: Place[] = [];
  for (const change of changes) {
    const lock = lockOf?.(change.path);
    places.push(await (change.write?.(ready) ?? changeFile(root, change, { lock, ready, known })));
    onWrite?.(places.length, changes.length);
    await pause();
  }
  return places;
}

/** A write that fails at its end, as on a network disk, may have happened all the same. */
function voidUnlessDone({ root, clock }: History, { id, changes }: Operation): void {
  const isDone = changes.some(({ path, after }) => hashOrNull(presentContent(root, path)) === after);
  if (!isDone) appendRecord(root, { void: id, time: clock.now().toISOString() });
}

function tooMany(count: number): UserError {
  const message = `This would change ${count} files at once; ${MAX_CHANGES} is the limit. Do it in parts.`;
  return new UserError("INVALID_ARGUMENT", message);
}

function notStored(path: string, error: unknown): UserError {
  const reason = explain(error);
  const message = `Could not keep the old text of ${quoteName(path)}: ${reason}. Nothing was changed. Fix that and try again, or start the server with --history off.`;
  return new UserError("FILESYSTEM_ERROR", message, { cause: error });
}
