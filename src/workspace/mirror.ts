import { basename } from "node:path";
import { reasonOf } from "../files/errors.ts";
import { type MirrorFile, UnusableIndexError, writeMirror } from "../files/mirror.ts";
import { IndexChangedError, piecesOf, sealImage } from "../index/image.ts";
import { createSchema } from "../index/schema.ts";
import { Stamps } from "../index/stamps.ts";
import { SQLITE_CORRUPT } from "../sqlite/codes.ts";
import { type Engine, openEngine } from "../sqlite/engine.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { checkReplaceable, findIndex, type MirrorContext } from "./find-index.ts";
import { closeQuietly, type Opened, openStored, readWhole, type Stored } from "./stored.ts";
import { createTurns, type Turns } from "./turns.ts";

/** The index, read from its file where it lies or loaded from it, and written back to it off the response path. */
export interface Mirror {
  /** Whether it may be written back. */
  readonly isWritable: boolean;
  /** For reading; for writing as well, once it is in memory. */
  db(): SqlDatabase;
  /** How each indexed file looked, by path: kept by whoever writes to the index, saved with it. Another one means another index. */
  known(): Stamps;
  /** Whether it is in memory. */
  isLoaded(): boolean;
  /** Takes it into memory. Throws a SqliteError when the file is damaged. */
  load(): Promise<void>;
  /** Whether it is in memory, or there is no memory for it. */
  isSettled(): boolean;
  /** Takes it into memory, if there is enough. Throws a SqliteError when the file is damaged. */
  settle(): Promise<void>;
  /** Says how many bytes of text an index that is still empty will be of. */
  expect(bytes: number): void;
  /** Whether more documents fit. */
  hasRoom(): boolean;
  /** Throws the index away, engine included, and starts an empty one. */
  reset(): Promise<void>;
  /** Takes what another process has saved meanwhile in the place of ours; answers whether there was something. */
  reload(): Promise<boolean>;
  /** Who writes a large document while others run. */
  readonly turns: Turns;
  /** Says that the index changed: it is persisted within a second. */
  changed(): void;
  /** Persists now what is pending. */
  save(): Promise<void>;
  /** Persists what is pending and closes. */
  close(): Promise<void>;
}

const PERSIST_MS = 1000;
/** Bytes from which on room is made at once, and most of it: what is not used is missing elsewhere. */
const LARGE = 4 * 1024 * 1024;
const LARGEST_ROOM = 256 * 1024 * 1024;

interface State extends Opened {
  engine: Engine;
  loading: Promise<void> | undefined;
  /** Whether the file may be replaced by ours. */
  writable: boolean;
  dirty: boolean;
  /** Whether it stays as it is, since there is no memory for more. */
  isSettled: boolean;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
  turns: Turns;
}

export async function openMirror(context: MirrorContext): Promise<Mirror> {
  const { file, writable } = await findIndex(context);
  const state: State = {
    ...(await open(context, file)),
    ...{ writable, dirty: false, isSettled: false },
    ...{ loading: undefined, timer: undefined, writing: undefined },
    turns: createTurns(() => state.writing),
  };
  return {
    isWritable: writable,
    db: () => state.db,
    known: () => state.known,
    isLoaded: () => state.stored === undefined,
    load: () => load(state),
    isSettled: () => state.isSettled || state.stored === undefined,
    settle: () => settle(state),
    expect: (bytes) => expect(state, bytes),
    hasRoom: () => state.engine.hasRoom(),
    reset: () => reset(state),
    reload: () => reload(context, state),
    turns: state.turns,
    changed: () => schedule(context, state),
    save: () => save(context, state),
    close: () => close(context, state),
  };
}

async function open(
  { config, log }: MirrorContext,
  file: MirrorFile | undefined,
): Promise<Opened & { engine: Engine }> {
  const engine = await openEngine();
  if (file !== undefined && !config.reindex) {
    const opened = await openOurs(engine, file);
    if (opened !== undefined) return { ...opened, engine };
    log.info("the index file is damaged or not one of this version: rebuilding it");
  } else file?.close();
  // What a damaged file did to an engine stays with that engine.
  const fresh = await engine.renew();
  return { ...emptyIndex(fresh), engine: fresh };
}

/** Undefined when it is not ours, or damaged: the files are the truth, and the index is made from them again. */
async function openOurs(engine: Engine, file: MirrorFile): Promise<Opened | undefined> {
  const opened = await openStored(engine, file).catch(() => undefined);
  if (opened?.stored === undefined) file.close();
  return opened;
}

function emptyIndex(engine: Engine, known = new Stamps(), room = 0): Opened {
  const db = engine.create(room);
  createSchema(db);
  return { db, known, stored: undefined };
}

/** An index takes about as much as its text, and SQLite twice that while it grows, unless it has the room at once. */
function expect(state: State, bytes: number): void {
  if (state.known.size > 0 || bytes < LARGE) return;
  try {
    replace(state, emptyIndex(state.engine, state.known, Math.min(bytes, LARGEST_ROOM)));
  } catch {
    // The machine has not so much to give at once: the index takes what it needs as it fills.
  }
}

async function load(state: State): Promise<void> {
  if (state.stored === undefined) return;
  state.loading ??= loadFrom(state, state.stored).finally(() => {
    state.loading = undefined;
  });
  await state.loading;
}

async function settle(state: State): Promise<void> {
  try {
    await load(state);
  } catch (error) {
    if (!(error instanceof SqliteError) || error.kind !== "nomem") throw error;
    // It works as it is.
    state.isSettled = true;
  }
}

async function loadFrom(state: State, stored: Stored): Promise<void> {
  const isWanted = () => state.stored === stored;
  try {
    const db = await readWhole(state.engine, stored, isWanted);
    if (isWanted()) replace(state, { db, known: state.known, stored: undefined });
    else closeQuietly(db);
  } catch (error) {
    if (!isWanted()) return;
    if (error instanceof SqliteError) throw error;
    throw new SqliteError("the index file is damaged", SQLITE_CORRUPT, { cause: error });
  }
}

/** Puts another database in the place of the one that is open. */
function replace(state: State, opened: Partial<State> & Opened): void {
  const { db, stored } = state;
  Object.assign(state, opened);
  closeQuietly(db);
  stored?.file.close();
}

/** Waits while a document is half written. */
async function whole({ turns }: State): Promise<void> {
  for (let busy = turns.busy(); busy !== undefined; busy = turns.busy()) await busy;
}

async function reset(state: State): Promise<void> {
  await whole(state);
  const engine = await state.engine.renew();
  replace(state, { ...emptyIndex(engine), engine });
}

async function reload(context: MirrorContext, state: State): Promise<boolean> {
  const { file } = await findIndex(context);
  if (file === undefined) return false;
  const opened = await openOurs(state.engine, file);
  if (opened === undefined) return false;
  replace(state, opened);
  return true;
}

function schedule(context: MirrorContext, state: State): void {
  state.dirty = true;
  if (!state.writable || state.timer !== undefined || state.writing !== undefined) return;
  state.timer = setTimeout(() => void persist(context, state), PERSIST_MS);
  state.timer.unref();
}

async function persist(context: MirrorContext, state: State): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  state.writing ??= write(context, state);
  await state.writing;
  state.writing = undefined;
  if (state.dirty && state.db !== undefined) schedule(context, state);
}

async function write({ config, log }: MirrorContext, state: State): Promise<void> {
  await whole(state);
  state.dirty = false;
  try {
    await load(state);
    const save = (database: Iterable<Uint8Array>) =>
      writeMirror(
        { file: config.db, makesFolder: config.dbNamed, check: checkReplaceable },
        sealImage({ database, stamps: state.known }),
      );
    try {
      await save(piecesOf(state.db));
    } catch (error) {
      // Or another one took its place.
      if (!(error instanceof IndexChangedError || error instanceof SqliteError)) throw error;
      await save([state.db.export()]);
    }
  } catch (error) {
    const reason =
      error instanceof UnusableIndexError ? `${basename(config.db)} ${error.message}` : reasonOf(error);
    log.warn(`the index could not be saved (${reason}): the next start will rebuild what is missing`);
  }
}

async function save(context: MirrorContext, state: State): Promise<void> {
  await state.writing;
  if (state.dirty && state.writable) await persist(context, state);
}

async function close(context: MirrorContext, state: State): Promise<void> {
  await whole(state);
  await save(context, state);
  clearTimeout(state.timer);
  closeQuietly(state.db);
  state.stored?.file.close();
  state.stored = undefined;
}
