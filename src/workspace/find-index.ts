import { basename } from "node:path";
import type { Config } from "../config.ts";
import { reasonOf } from "../files/errors.ts";
import { type MirrorFile, openMirrorFile, readAll, readMirror, setAside } from "../files/mirror.ts";
import { headerVersion, isTorn } from "../index/image.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../index/schema.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

export type MirrorConfig = Pick<Config, "db" | "dbNamed" | "readOnly" | "reindex">;

export interface MirrorContext {
  config: MirrorConfig;
  clock: Clock;
  log: Log;
}

export interface Found {
  file: MirrorFile | undefined;
  /** False also for a place that is no regular file, or that cannot be read: it is left as it is. */
  writable: boolean;
}

/** Opens the index file, and says what may be done with it. What is no index is kept under another name. */
export async function findIndex(context: MirrorContext): Promise<Found> {
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
  const bytes = readAll(file);
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
