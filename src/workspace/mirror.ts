import { basename } from "node:path";
import type { Config } from "../config.ts";
import { reasonOf } from "../files/errors.ts";
import { readMirror, setAside, writeMirror } from "../files/mirror.ts";
import { headerVersion, isTorn, openImage, sealImage } from "../index/image.ts";
import { APPLICATION_ID, createSchema, SCHEMA_VERSION, schemaState } from "../index/schema.ts";
import { Stamps } from "../index/stamps.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { type Engine, openEngine } from "../sqlite/engine.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

export type MirrorConfig = Pick<Config, "db" | "dbNamed" | "readOnly" | "reindex">;

/** The index in memory, loaded from its file and written back to it off the response path. */
export interface Mirror {
  /** Whether it may be written back. */
  readonly isWritable: boolean;
  db(): SqlDatabase;
  /** How each indexed file looked, by path: kept by whoever writes to the index, saved with it. */
  known(): Stamps;
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

export interface MirrorContext {
  config: MirrorConfig;
  clock: Clock;
  log: Log;
}

interface State extends Loaded {
  engine: Engine;
  /** Whether the file may be replaced by ours. */
  writable: boolean;
  dirty: boolean;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
}

export async function openMirror(context: MirrorContext): Promise<Mirror> {
  const engine = await openEngine();
  const { file, isUsable } = await readFile(context, engine);
  const writable = isUsable && (await mayWrite(context, file));
  const state: State = {
    engine,
    ...load(context, engine, file),
    writable,
    dirty: false,
    timer: undefined,
    writing: undefined,
  };
  return {
    isWritable: writable,
    db: () => state.db,
    known: () => state.known,
    hasRoom: () => state.engine.hasRoom(),
    reset: () => reset(state),
    reload: () => reload(context, state),
    changed: () => schedule(context, state),
    save: () => save(context, state),
    close: () => close(context, state),
  };
}

interface MirrorFile {
  file: Uint8Array | undefined;
  /** False for a place that is no regular file, or that cannot be read: it is left as it is. */
  isUsable: boolean;
}

async function readFile({ config, log }: MirrorContext, engine: Engine): Promise<MirrorFile> {
  try {
    return { file: await readMirror(config.db, engine.allocate), isUsable: true };
  } catch (error) {
    log.warn(`the index file cannot be used (${reasonOf(error)}): indexing in memory`);
    return { file: undefined, isUsable: false };
  }
}

interface Loaded {
  db: SqlDatabase;
  known: Stamps;
}

function load({ config, log }: MirrorContext, engine: Engine, file: Uint8Array | undefined): Loaded {
  if (file !== undefined && config.reindex) engine.free(file);
  if (file !== undefined && !config.reindex) {
    const loaded = openOurs(engine, file);
    if (loaded !== undefined) return loaded;
    log.info("the index file is damaged or not one of this version: rebuilding it");
  }
  return emptyIndex(engine);
}

function openOurs(engine: Engine, file: Uint8Array): Loaded | undefined {
  let db: SqlDatabase | undefined;
  try {
    const image = openImage(file);
    if (image === undefined) {
      engine.free(file);
      return undefined;
    }
    db = new engine.Database(image.database);
    if (schemaState(db) === "ours") return { db, known: image.stamps };
  } catch {
    // Whatever is wrong with it: the files are the truth, and the index is made from them again.
  }
  if (db !== undefined) closeQuietly(db);
  return undefined;
}

function emptyIndex(engine: Engine): Loaded {
  const db = new engine.Database();
  createSchema(db);
  return { db, known: new Stamps() };
}

/** A newer version's index is left to it; a file that is no index at all is kept under another name. */
async function mayWrite(
  { config, clock, log }: MirrorContext,
  file: Uint8Array | undefined,
): Promise<boolean> {
  if (config.readOnly && !config.dbNamed) return false;
  if (file === undefined) return true;
  const header = headerVersion(file);
  const isOurs = header?.application === APPLICATION_ID;
  if (isOurs && header.version > SCHEMA_VERSION && !isTorn(file)) {
    log.warn("the index file belongs to a newer version: leaving it alone, indexing in memory");
    return false;
  }
  if (isOurs || file.length === 0 || isIndex(file)) return true;
  // A server that was killed leaves its tables in the journal.
  if (isIndex(await readMirror(`${config.db}-wal`).catch(() => undefined))) return true;
  try {
    const aside = await setAside(config.db, clock.now());
    log.warn(`${basename(config.db)} was not an index: it is kept as ${basename(aside)}`);
    return true;
  } catch (error) {
    log.warn(`${basename(config.db)} is not an index and stays (${reasonOf(error)}): indexing in memory`);
    return false;
  }
}

/** Whether a file names the table that every index has. */
function isIndex(file: Uint8Array | undefined): boolean {
  return file !== undefined && Buffer.from(file.buffer, file.byteOffset, file.length).includes("chunks_fts");
}

async function reset(state: State): Promise<void> {
  const broken = state.db;
  const engine = await state.engine.renew();
  Object.assign(state, emptyIndex(engine), { engine });
  closeQuietly(broken);
}

async function reload(context: MirrorContext, state: State): Promise<boolean> {
  const { file } = await readFile(context, state.engine);
  const loaded = file === undefined ? undefined : openOurs(state.engine, file);
  if (loaded === undefined) return false;
  closeQuietly(state.db);
  Object.assign(state, loaded);
  return true;
}

function closeQuietly(db: SqlDatabase): void {
  try {
    db.close();
  } catch {
    // A database that broke may not close; its engine goes with it.
  }
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
  closeQuietly(state.db);
}
