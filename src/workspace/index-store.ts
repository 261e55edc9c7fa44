import { basename } from "node:path";
import { reasonOf } from "../files/errors.ts";
import { UnusableIndexError, writeIndexFile } from "../files/index-file.ts";
import { openImage, sealImage } from "../index/image.ts";
import { createSchema, schemaText } from "../index/schema.ts";
import type { Stamps } from "../index/stamps.ts";
import { type Engine, openEngine } from "../sqlite/engine.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { checkReplaceable, findIndex, type IndexContext } from "./find-index.ts";
import { createTurns, type Turns } from "./turns.ts";

/** The index in memory, read whole from its file and saved whole, off the response path. */
export interface IndexStore {
  db(): SqlDatabase;
  /** How each indexed file looked: kept in step with `db` by whoever writes to it. Another one means another index. */
  stamps(): Stamps;
  /** Says how many bytes of text an index that is still empty will be of. */
  expect(bytes: number): void;
  /** Whether more documents fit. */
  hasRoom(): boolean;
  /** Throws the index away, engine included, and starts an empty one. */
  reset(): Promise<void>;
  /** Who writes a large document while others run. */
  readonly turns: Turns;
  /** Says that the index changed: it is saved within a second. */
  changed(): void;
  /** Saves now what is pending. */
  save(): Promise<void>;
  /** Saves what is pending and closes. */
  close(): Promise<void>;
}

const SAVE_MS = 1000;
/** Bytes from which on room is made at once, and most of it: what is not used is missing elsewhere. */
const LARGE = 4 * 1024 * 1024;
const LARGEST_ROOM = 256 * 1024 * 1024;

interface State {
  engine: Engine;
  db: SqlDatabase;
  stamps: Stamps;
  /** Whether the file may be replaced by ours. */
  isWritable: boolean;
  isDirty: boolean;
  timer: NodeJS.Timeout | undefined;
  saving: Promise<void> | undefined;
  turns: Turns;
}

export async function openIndexStore(context: IndexContext): Promise<IndexStore> {
  const { bytes, isWritable } = await findIndex(context);
  const turns = createTurns(() => state.saving);
  const rest = { isWritable, isDirty: false, timer: undefined, saving: undefined, turns };
  const state: State = { ...(await open(context, bytes)), ...rest };
  return {
    db: () => state.db,
    stamps: () => state.stamps,
    expect: (size) => expect(state, size),
    hasRoom: () => state.engine.hasRoom(),
    reset: () => reset(state),
    turns,
    changed: () => schedule(context, state),
    save: () => save(context, state),
    close: () => close(context, state),
  };
}

type Opened = Pick<State, "engine" | "db" | "stamps">;

async function open({ config, log }: IndexContext, bytes: Uint8Array | undefined): Promise<Opened> {
  const engine = await openEngine();
  if (bytes === undefined || config.reindex) return { ...emptyIndex(engine), engine };
  const opened = openOurs(engine, bytes);
  if (opened !== undefined) return { ...opened, engine };
  log.info("the index file is damaged or not one of this version: rebuilding it");
  // What a damaged file did to an engine stays with that engine.
  const fresh = await engine.renew();
  return { ...emptyIndex(fresh), engine: fresh };
}

/** Undefined when it is not ours, or damaged: the files are the truth, and the index is made from them again. */
function openOurs(engine: Engine, bytes: Uint8Array): Omit<Opened, "engine"> | undefined {
  const image = openImage(bytes);
  if (image === undefined) return undefined;
  const { db: ours } = emptyIndex(engine);
  try {
    const db = new engine.Database(image.database);
    // Whoever made the file may have put a view that never ends in the place of a table.
    if (schemaText(db) === schemaText(ours)) return { db, stamps: image.stamps };
    db.close();
  } catch {
    // Damaged.
  } finally {
    closeQuietly(ours);
  }
  return undefined;
}

function emptyIndex(engine: Engine, stamps: Stamps = new Map(), room = 0): Omit<Opened, "engine"> {
  const db = new engine.Database(null, room);
  createSchema(db);
  return { db, stamps };
}

/** An index takes about as much as its text, and SQLite twice that while it grows, unless it has the room at once. */
function expect(state: State, bytes: number): void {
  if (state.stamps.size > 0 || bytes < LARGE) return;
  try {
    replace(state, emptyIndex(state.engine, state.stamps, Math.min(bytes, LARGEST_ROOM)));
  } catch {
    // The machine has not so much to give at once: the index takes what it needs as it fills.
  }
}

/** Puts another database in the place of the one that is open. */
function replace(state: State, opened: Partial<Opened> & Pick<Opened, "db">): void {
  const { db } = state;
  Object.assign(state, opened);
  closeQuietly(db);
}

function closeQuietly(db: SqlDatabase): void {
  try {
    db.close();
  } catch {
    // A database that broke may not close; its engine goes with it.
  }
}

async function reset(state: State): Promise<void> {
  while (state.turns.busy() !== undefined) await state.turns.busy();
  const engine = await state.engine.renew();
  replace(state, { ...emptyIndex(engine), engine });
}

function schedule(context: IndexContext, state: State): void {
  state.isDirty = true;
  if (!state.isWritable || state.timer !== undefined || state.saving !== undefined) return;
  state.timer = setTimeout(() => void saveNow(context, state), SAVE_MS);
  state.timer.unref();
}

async function saveNow(context: IndexContext, state: State): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  state.saving ??= write(context, state);
  await state.saving;
  state.saving = undefined;
  if (state.isDirty) schedule(context, state);
}

async function write({ config, log }: IndexContext, state: State): Promise<void> {
  while (state.turns.busy() !== undefined) await state.turns.busy();
  state.isDirty = false;
  const place = { file: config.db, makesFolder: config.dbNamed, check: () => checkReplaceable(config.db) };
  try {
    await writeIndexFile(
      place,
      sealImage(() => ({ database: state.db.image?.() ?? state.db.export(), stamps: state.stamps })),
    );
  } catch (error) {
    const reason =
      error instanceof UnusableIndexError ? `${basename(config.db)} ${error.message}` : reasonOf(error);
    log.warn(`the index could not be saved (${reason}): the next start will rebuild what is missing`);
  }
}

async function save(context: IndexContext, state: State): Promise<void> {
  await state.saving;
  if (state.isDirty && state.isWritable) await saveNow(context, state);
}

async function close(context: IndexContext, state: State): Promise<void> {
  while (state.turns.busy() !== undefined) await state.turns.busy();
  await save(context, state);
  clearTimeout(state.timer);
  closeQuietly(state.db);
}
