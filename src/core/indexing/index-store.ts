import { basename } from "node:path";
import { type FileFingerprints, openImage, sealImage } from "../index/index-image.ts";
import { createSchema, schemaText, setRoot } from "../index/schema.ts";
import { type Engine, openEngine } from "../sqlite/engine.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { attempt, explain } from "../storage/fs-errors.ts";
import { UnusableIndexError, writeIndexFile } from "../storage/index-file.ts";
import { checkDisks } from "../storage/mounts.ts";
import { checkReplaceable, findIndex, type IndexContext } from "./find-index.ts";
import { createLargeWrites } from "./large-writes.ts";

const SAVE_MS = 1000;
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
  return new IndexStore(context, await open(context, bytes), isWritable);
}

/** The index in memory, read from its file and saved in the background, always as a whole. */
export class IndexStore {
  readonly largeWrites = createLargeWrites(() => this.#saving);
  readonly #context: IndexContext;
  #content: Content;
  /** Whether the file may be replaced by ours. */
  readonly #isWritable: boolean;
  #isDirty = false;
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
  }

  /** Saves the changed index within a second. */
  changed(): void {
    this.#isDirty = true;
    if (!this.#isWritable || this.#timer !== undefined || this.#saving !== undefined) return;
    this.#timer = setTimeout(() => void this.#saveNow(), SAVE_MS).unref();
  }

  /** Saves pending changes now. */
  async save(): Promise<void> {
    await this.#saving;
    if (this.#isDirty && this.#isWritable) await this.#saveNow();
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
    this.#timer = undefined;
    this.#saving ??= this.#write();
    await this.#saving;
    this.#saving = undefined;
    if (this.#isDirty) this.changed();
  }

  async #write(): Promise<void> {
    const { config, log } = this.#context;
    await this.largeWrites.whenIdle(() => {
      this.#isDirty = false;
    });
    this.isOutdated = this.#context.purgedAt?.() !== this.#purgedAt;
    if (this.isOutdated) return;
    const place = { file: config.db, makesFolder: config.dbNamed, check: () => checkReplaceable(config.db) };
    const image = () => ({
      database: this.db().image?.() ?? this.db().export(),
      fingerprints: this.fingerprints(),
    });
    try {
      checkDisks(config.root, [""]);
      await writeIndexFile(place, sealImage(image));
    } catch (error) {
      const reason =
        error instanceof UnusableIndexError ? `${basename(config.db)} ${error.message}` : explain(error);
      log.warn(`the index could not be saved (${reason}): the next start indexes the missing documents`);
    }
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
