import { setImmediate } from "node:timers/promises";
import type { MirrorFile } from "../files/mirror.ts";
import { checkedReader, readTail, type Tail } from "../index/image.ts";
import { createSchema, schemaState, schemaText } from "../index/schema.ts";
import type { Stamps } from "../index/stamps.ts";
import type { Engine } from "../sqlite/engine.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

/** The index in its file, from which each page is read, and checked, when it is needed. */
export interface Stored {
  file: MirrorFile;
  tail: Tail;
}

export interface Opened {
  db: SqlDatabase;
  known: Stamps;
  /** Where `db` reads from, and cannot write to; undefined when it is in memory. */
  stored: Stored | undefined;
}

/** A smaller file is read faster than its pages one by one. */
const SMALL = 4 * 1024 * 1024;
/** What is read at one go, before others get their turn: whole blocks. */
const STEP = 1024 * 1024;

/** Opens an index file; undefined when it is not one of this version, or cut or changed at its end. Throws for other damage. */
export async function openStored(engine: Engine, file: MirrorFile): Promise<Opened | undefined> {
  const tail = readTail(file.size, file.readAt);
  if (tail === undefined) return undefined;
  // Windows replaces no file that somebody holds open.
  const inPlace = file.size > SMALL && process.platform !== "win32";
  const stored = { file, tail };
  const db = inPlace ? engine.open(sourceOf(stored)) : await readWhole(engine, stored, () => true);
  try {
    if (schemaState(db) === "ours" && schemaText(db) === ourSchema(engine))
      return { db, known: tail.stamps, stored: inPlace ? stored : undefined };
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
  closeQuietly(db);
  return undefined;
}

/** Whoever made the file may have put a view that never ends in the place of a table. */
function ourSchema(engine: Engine): string {
  const db = engine.create(0);
  createSchema(db);
  const text = schemaText(db);
  db.close();
  return text;
}

/** Reads the whole database into memory, a part at a time, unless it is not wanted any more. Throws where it is damaged. */
export async function readWhole(
  engine: Engine,
  stored: Stored,
  isWanted: () => boolean,
): Promise<SqlDatabase> {
  const { size, read } = sourceOf(stored);
  const room = engine.allocate(size);
  try {
    for (let at = 0; at < size; at += STEP) {
      if (at > 0) await setImmediate();
      if (!isWanted()) throw new Error("not wanted any more");
      read(room.bytes().subarray(at, at + STEP), at);
    }
  } catch (error) {
    room.free();
    throw error;
  }
  return new engine.Database(room.bytes());
}

function sourceOf({ file, tail }: Stored) {
  return { size: tail.databaseSize, read: checkedReader(tail, file.readAt) };
}

export function closeQuietly(db: SqlDatabase): void {
  try {
    db.close();
  } catch {
    // A database that broke may not close; its engine goes with it.
  }
}
