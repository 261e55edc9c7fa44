import { basename } from "node:path";
import type { Config } from "../config.ts";
import { reasonOf } from "../files/errors.ts";
import { type MirrorFile, openMirrorFile, readMirror, setAside, writeMirror } from "../files/mirror.ts";
import { headerVersion, isTorn, sealImage } from "../index/image.ts";
import { APPLICATION_ID, createSchema, SCHEMA_VERSION } from "../index/schema.ts";
import { Stamps } from "../index/stamps.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { SQLITE_CORRUPT } from "../sqlite/codes.ts";
import { type Engine, openEngine } from "../sqlite/engine.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { closeQuietly, type Opened, openStored, readWhole, type Stored } from "./stored.ts";

export type MirrorConfig = Pick<Config, "db" | "dbNamed" | "readOnly" | "reindex">;

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
  /** Whether it is in memory, with an engine that optimizes what it runs. */
  isSettled(): boolean;
  /** Makes it so, unless it is written to: `isIdle` is asked for that. Throws a SqliteError when the file is damaged. */
  settle(isIdle: () => boolean): Promise<void>;
  /** Says how many bytes of text an index that is still empty will be of. */
  expect(bytes: number): void;
  /** Whether more documents fit. */
  hasRoom(): boolean;
  /** Throws the index away, engine included, and starts an empty one. */
  reset(): Promise<void>;
  /** Takes what another process has saved meanwhile in the place of ours; answers whether there was something. */
  reload(): Promise<boolean>;
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

export interface MirrorContext {
  config: MirrorConfig;
  clock: Clock;
  log: Log;
}

interface State extends Opened {
  engine: Engine;
  loading: Promise<void> | undefined;
  /** Whether the file may be replaced by ours. */
  writable: boolean;
  dirty: boolean;
  isClosed: boolean;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
}

export async function openMirror(context: MirrorContext): Promise<Mirror> {
  const { file, writable } = await find(context);
  const state: State = {
    ...(await open(context, file)),
    ...{ loading: undefined, writable, dirty: false, isClosed: false, timer: undefined, writing: undefined },
  };
  return {
    isWritable: writable,
    db: () => state.db,
    known: () => state.known,
    isLoaded: () => state.stored === undefined,
    load: () => load(state),
    isSettled: () => state.stored === undefined && !state.engine.isQuick,
    settle: (isIdle) => settle(state, isIdle),
    expect: (bytes) => expect(state, bytes),
    hasRoom: () => state.engine.hasRoom(),
    reset: () => reset(state),
    reload: () => reload(context, state),
    changed: () => schedule(context, state),
    save: () => save(context, state),
    close: () => close(context, state),
  };
}

interface Found {
  file: MirrorFile | undefined;
  /** False also for a place that is no regular file, or that cannot be read: it is left as it is. */
  writable: boolean;
}

async function find(context: MirrorContext): Promise<Found> {
  const { config, log } = context;
  let file: MirrorFile | undefined;
  try {
    file = openMirrorFile(config.db);
    return { file, writable: await mayWrite(context, file) };
  } catch (error) {
    file?.close();
    log.warn(`the index file cannot be used (${reasonOf(error)}): indexing in memory`);
    return { file: undefined, writable: false };
  }
}

async function open(
  { config, log }: MirrorContext,
  file: MirrorFile | undefined,
): Promise<Opened & { engine: Engine }> {
  if (file !== undefined && !config.reindex) {
    const engine = await openEngine({ quick: true });
    const opened = await openOurs(engine, file);
    if (opened !== undefined) return { ...opened, engine };
    log.info("the index file is damaged or not one of this version: rebuilding it");
  } else file?.close();
  const engine = await openEngine();
  return { ...emptyIndex(engine), engine };
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
  replace(state, emptyIndex(state.engine, state.known, Math.min(bytes, LARGEST_ROOM)));
}

async function load(state: State, engine = state.engine): Promise<void> {
  if (state.stored === undefined) return;
  state.loading ??= loadFrom(state, state.stored, engine).finally(() => {
    state.loading = undefined;
  });
  await state.loading;
}

async function settle(state: State, isIdle: () => boolean): Promise<void> {
  if (!state.engine.isQuick) return load(state);
  const engine = await openEngine();
  if (state.stored !== undefined) return load(state, engine);
  if (state.isClosed || !isIdle() || !state.engine.isQuick) return;
  replace(state, {
    engine,
    db: new engine.Database(state.db.export()),
    known: state.known,
    stored: undefined,
  });
}

async function loadFrom(state: State, stored: Stored, engine: Engine): Promise<void> {
  const isWanted = () => state.stored === stored;
  try {
    const db = await readWhole(engine, stored, isWanted);
    if (isWanted()) replace(state, { engine, db, known: state.known, stored: undefined });
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

/** A newer version's index is left to it; a file that is no index at all is kept under another name. */
async function mayWrite(
  { config, clock, log }: MirrorContext,
  file: MirrorFile | undefined,
): Promise<boolean> {
  if (config.readOnly && !config.dbNamed) return false;
  if (file === undefined) return true;
  const header = headerOf(file);
  const isOurs = header?.application === APPLICATION_ID;
  if (isOurs && header.version <= SCHEMA_VERSION) return true;
  const bytes = new Uint8Array(file.size);
  file.readAt(bytes, 0);
  if (isOurs && !isTorn(bytes)) {
    log.warn("the index file belongs to a newer version: leaving it alone, indexing in memory");
    return false;
  }
  // A server that was killed leaves its tables in the journal.
  if (isOurs || bytes.length === 0 || isIndex(bytes) || isIndex(journal(config.db))) return true;
  try {
    const aside = await setAside(config.db, clock.now());
    log.warn(`${basename(config.db)} was not an index: it is kept as ${basename(aside)}`);
    return true;
  } catch (error) {
    log.warn(`${basename(config.db)} is not an index and stays (${reasonOf(error)}): indexing in memory`);
    return false;
  }
}

function headerOf(file: MirrorFile): ReturnType<typeof headerVersion> {
  const header = new Uint8Array(Math.min(file.size, 100));
  file.readAt(header, 0);
  return headerVersion(header);
}

function journal(db: string): Uint8Array | undefined {
  try {
    return readMirror(`${db}-wal`);
  } catch {
    return undefined; // What cannot be read is not taken for ours.
  }
}

/** Whether a file names the table that every index has. */
function isIndex(file: Uint8Array | undefined): boolean {
  return file !== undefined && Buffer.from(file.buffer, file.byteOffset, file.length).includes("chunks_fts");
}

async function reset(state: State): Promise<void> {
  const engine = state.engine.isQuick ? await openEngine() : await state.engine.renew();
  replace(state, { ...emptyIndex(engine), engine });
}

async function reload(context: MirrorContext, state: State): Promise<boolean> {
  const { file } = await find(context);
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
  state.dirty = false;
  try {
    const parts = sealImage({ database: state.db.export(), stamps: state.known });
    await writeMirror(config.db, parts, config.dbNamed);
  } catch (error) {
    log.warn(
      `the index could not be saved (${reasonOf(error)}): the next start will rebuild what is missing`,
    );
  }
}

async function save(context: MirrorContext, state: State): Promise<void> {
  await state.writing;
  if (state.dirty && state.writable) await persist(context, state);
}

async function close(context: MirrorContext, state: State): Promise<void> {
  await save(context, state);
  clearTimeout(state.timer);
  state.isClosed = true;
  closeQuietly(state.db);
  state.stored?.file.close();
  state.stored = undefined;
}
