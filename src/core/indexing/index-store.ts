import { basename } from "node:path";
import { type FileFingerprints, openImage, sealImage } from "../index/index-image.ts";
import { createSchema, schemaText, setRoot } from "../index/schema.ts";
import { elapsed } from "../lib/clock.ts";
import { type Engine, openEngine } from "../sqlite/engine.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { attempt, explain } from "../storage/fs-errors.ts";
import { readIndexFile, releaseBytes, UnusableIndexError, writeIndexFile } from "../storage/index-file.ts";
import { checkDisks } from "../storage/mounts.ts";
import { isAsNew } from "./diff.ts";
import { checkReplaceable, findIndex, type IndexContext } from "./find-index.ts";
import { createLargeWrites } from "./large-writes.ts";

/** A burst of changes is saved once, a second after its last one, or during one that does not end. */
const CALM_MS = 1000;
const PATIENCE_MS = 30_000;
/** The saves of a larger image than this take at most this share of the time. */
const SPACED_BYTES = 25 * 1000 * 1000;
const SHARE = 1 / 100;
/** An index of this many bytes gets its memory at once, but no more than the largest capacity. */
const LARGE = 4 * 1024 * 1024;
const MAX_CAPACITY = 256 * 1024 * 1024;

interface Content {
  engine: Engine;
  db: SqlDatabase;
  fingerprints: FileFingerprints;
}

export async function openIndexStore(context: IndexContext): Promise<IndexStore> {
  const { bytes, isWritable } = await findIndex(context);
  const content = await open(context, bytes);
  if (bytes !== undefined) releaseBytes(bytes);
  return new IndexStore(context, content, isWritable);
}

/** The index in memory, read from its file and saved in the background, always as a whole. */
export class IndexStore {
  readonly largeWrites = createLargeWrites(() => this.#saving);
  readonly #context: IndexContext;
  #content: Content;
  /** Whether the file may be replaced by ours. */
  readonly #isWritable: boolean;
  /** Whether a change that was made here is to be saved. */
  #isDirty = false;
  /** Whether only changes that others made are. */
  #hasSeen = false;
  /** Whether the file was good when this process last read or wrote it. */
  #isOnDisk: boolean;
  /** When the first of the changes to save was made, and when the next save may begin, by `elapsed()`. */
  #since: number | undefined;
  #nextSave = 0;
  /** Why the last save failed. */
  #complaint: string | undefined;
  /** When it was begun, words were last purged then. */
  #purgedAt: number | undefined;
  /** Whether it may hold words that were purged since it was begun. */
  isOutdated = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;

  constructor(context: IndexContext, content: Content, isWritable: boolean) {
    this.#context = context;
    this.#content = content;
    this.#isWritable = isWritable;
    this.#isOnDisk = content.fingerprints.size > 0;
    this.#purgedAt = context.purgedAt?.();
    setRoot(content.db, context.config.root);
  }

  db(): SqlDatabase {
    return this.#content.db;
  }

  /** The fingerprints of the indexed files: code that writes to `db` updates them. Another map means another index. */
  fingerprints(): FileFingerprints {
    return this.#content.fingerprints;
  }

  /** Whether more documents fit. */
  readonly hasMemory = (): boolean => this.#content.engine.hasMemory();

  /** Reserves memory for so many bytes of text, which take about as many in the index: growing would need twice that. */
  expect(bytes: number): void {
    const { engine, fingerprints } = this.#content;
    if (fingerprints.size > 0 || bytes < LARGE) return;
    // If the machine cannot give that much at once, the index grows as it fills.
    attempt(() => this.#replace(emptyIndex(engine, fingerprints, Math.min(bytes, MAX_CAPACITY))));
  }

  /** Discards the index and its engine, and starts an empty one. */
  async reset(): Promise<void> {
    await this.largeWrites.whenIdle(async () =>
      this.#replace(emptyIndex(await this.#content.engine.renew())),
    );
    this.#purgedAt = this.#context.purgedAt?.();
    this.isOutdated = false;
    this.#isOnDisk = false;
  }

  /** Saves the index, which was changed here, soon. */
  changed(): void {
    this.#isDirty = true;
    if (!this.#isWritable || this.#saving !== undefined) return;
    const now = elapsed();
    this.#since ??= now;
    const due = Math.max(this.#nextSave, Math.min(now + CALM_MS, this.#since + PATIENCE_MS));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#saveNow(), due - now).unref();
  }

  /** Files were changed elsewhere: whoever did that saves the index, or else this process at its end. */
  saw(): void {
    if (this.#isOnDisk) this.#hasSeen = true;
    else this.changed();
  }

  /** Saves pending changes now. */
  async save(): Promise<void> {
    await this.#saving;
    this.#hasSeen &&= !this.#isSavedElsewhere();
    if ((this.#isDirty || this.#hasSeen) && this.#isWritable) await this.#saveNow();
  }

  #isSavedElsewhere(): boolean {
    const bytes = attempt(() => readIndexFile(this.#context.config.db));
    const image = bytes && openImage(bytes);
    return image !== undefined && isAsNew(image.fingerprints, this.fingerprints());
  }

  /** Saves pending changes and closes. */
  async close(): Promise<void> {
    await this.largeWrites.whenIdle(() => this.save());
    clearTimeout(this.#timer);
    attempt(() => this.#content.db.close());
  }

  #replace(content: Content): void {
    const { db } = this.#content;
    this.#content = content;
    setRoot(content.db, this.#context.config.root);
    attempt(() => db.close()); // A broken database may not close; its engine goes with it.
  }

  async #saveNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#since = undefined;
    this.#saving ??= this.#write();
    await this.#saving;
    this.#saving = undefined;
    if (this.#isDirty) this.changed();
  }

  async #write(): Promise<void> {
    const { config } = this.#context;
    await this.largeWrites.whenIdle(() => {
      this.#isDirty = this.#hasSeen = false;
    });
    this.isOutdated = this.#context.purgedAt?.() !== this.#purgedAt;
    if (this.isOutdated) return;
    const place = { file: config.db, makesFolder: config.dbNamed, check: () => checkReplaceable(config.db) };
    const database = () => this.db().image?.() ?? this.db().export();
    const { length } = database();
    const start = elapsed();
    try {
      checkDisks(config.root, [""]);
      await writeIndexFile(
        { ...place, bytes: length },
        sealImage(() => ({ database: database(), fingerprints: this.fingerprints() })),
      );
      this.#isOnDisk = true;
      this.#complaint = undefined;
    } catch (error) {
      this.#complain(error);
    }
    const now = elapsed();
    if (length > SPACED_BYTES) this.#nextSave = now + (now - start) / SHARE;
  }

  #complain(error: unknown): void {
    const { config, log } = this.#context;
    const reason =
      error instanceof UnusableIndexError ? `${basename(config.db)} ${error.message}` : explain(error);
    const complaint = `the index could not be saved (${reason}): the next start indexes the missing documents`;
    if (complaint !== this.#complaint) log.warn(complaint);
    this.#complaint = complaint;
  }
}

async function open({ config, log }: IndexContext, bytes: Uint8Array | undefined): Promise<Content> {
  const engine = await openEngine();
  if (bytes === undefined || config.reindex) return emptyIndex(engine);
  const content = openOurs(engine, bytes);
  if (content !== undefined) return content;
  log.info("the index file is damaged or of another version: rebuilding it");
  // A damaged file may have damaged the engine.
  return emptyIndex(await engine.renew());
}

/** Undefined for a damaged or foreign index: the files are the truth, and it is rebuilt from them. */
function openOurs(engine: Engine, bytes: Uint8Array): Content | undefined {
  const image = openImage(bytes);
  if (image === undefined) return undefined;
  const { db: ours } = emptyIndex(engine);
  const content = attempt(() => {
    const db = new engine.Database(image.database);
    // A crafted file could have a view that never ends instead of a table.
    if (schemaText(db) === schemaText(ours)) return { engine, db, fingerprints: image.fingerprints };
    db.close();
    return undefined;
  });
  attempt(() => ours.close());
  return content;
}

function emptyIndex(engine: Engine, fingerprints: FileFingerprints = new Map(), capacity = 0): Content {
  const db = new engine.Database(null, capacity);
  createSchema(db);
  return { engine, db, fingerprints };
}
