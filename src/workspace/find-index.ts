import { basename, join } from "node:path";
import type { Config } from "../config.ts";
import { reasonOf } from "../files/errors.ts";
import { type MirrorFile, openMirrorFile, readAll, setAside, UnusableIndexError } from "../files/mirror.ts";
import { headerVersion, isTorn } from "../index/image.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../index/schema.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

export type MirrorConfig = Pick<Config, "root" | "db" | "dbNamed" | "readOnly" | "reindex">;

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

/** Opens the index file, and says what may be done with it. What is no index is never replaced. */
export async function findIndex(context: MirrorContext): Promise<Found> {
  const { config, log } = context;
  let file: MirrorFile | undefined;
  try {
    file = openMirrorFile(config.db);
    return { file, writable: await mayWrite(context, file) };
  } catch (error) {
    file?.close();
    log.warn(`${problemOf(config.db, error)}: indexing in memory`);
    return { file: undefined, writable: false };
  }
}

/** What is wrong with the place of the index, in words. */
export function problemOf(db: string, error: unknown): string {
  if (error instanceof UnusableIndexError) return `the index file ${basename(db)} ${error.message}`;
  return `the index file cannot be used (${reasonOf(error)})`;
}

/** A newer version's index is left to it, and what is no index of ours to whoever owns it. */
async function mayWrite(context: MirrorContext, file: MirrorFile | undefined): Promise<boolean> {
  const { config, log } = context;
  if (config.readOnly && !config.dbNamed) return false;
  const owner = ownerOf(file);
  if (owner === "newer")
    log.warn("the index file belongs to a newer version: leaving it alone, indexing in memory");
  return owner === "foreign" ? moveAway(context) : owner !== "newer";
}

/** Throws unless the file that has the name of the index now may be replaced. */
export function checkReplaceable(now: MirrorFile | undefined): void {
  const owner = ownerOf(now);
  if (owner === "foreign") throw new UnusableIndexError("is not an index of this program");
  if (owner === "newer") throw new UnusableIndexError("belongs to a newer version");
}

/** By the header alone: a file that any other program made is foreign, an empty one as well. */
function ownerOf(file: MirrorFile | undefined): "none" | "ours" | "newer" | "foreign" {
  if (file === undefined) return "none";
  const header = new Uint8Array(Math.min(file.size, HEADER_BYTES));
  file.readAt(header, 0);
  const { application, version = 0 } = headerVersion(header) ?? {};
  if (application !== APPLICATION_ID) return "foreign";
  // A damaged header may name any version.
  return version <= SCHEMA_VERSION || isTorn(readAll(file)) ? "ours" : "newer";
}

/** In the workspace the name is ours, and a file that has it gives way; a file that the user named stays. */
async function moveAway({ config, clock, log }: MirrorContext): Promise<boolean> {
  const name = basename(config.db);
  if (config.dbNamed && config.db !== join(config.root, "index.db")) {
    log.warn(
      `${name} is not an index of vibe-mcp and stays: indexing in memory. Name another file with --db`,
    );
    return false;
  }
  try {
    const aside = await setAside(config.db, clock.now());
    log.warn(`${name} was not an index: it is kept as ${basename(aside)}`);
    return true;
  } catch (error) {
    log.warn(`${name} is not an index and stays (${reasonOf(error)}): indexing in memory`);
    return false;
  }
}

const HEADER_BYTES = 100;
