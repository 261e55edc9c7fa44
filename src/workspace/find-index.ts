import { basename, join } from "node:path";
import type { Config } from "../config.ts";
import { reasonOf } from "../files/errors.ts";
import { readIndexFile, readIndexHeader, setAside, UnusableIndexError } from "../files/index-file.ts";
import { HEADER_BYTES, headerVersion, isTorn } from "../index/image.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../index/schema.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

export interface IndexContext {
  config: Pick<Config, "root" | "db" | "dbNamed" | "readOnly" | "reindex">;
  clock: Clock;
  log: Log;
}

export interface FoundIndex {
  /** Undefined when there is none, or none that can be read. */
  bytes: Uint8Array | undefined;
  /** Whether the file may be replaced. */
  isWritable: boolean;
}

/** Reads the index file, and says what may be done with it. What is no index is never replaced. */
export async function findIndex(context: IndexContext): Promise<FoundIndex> {
  const { config, log } = context;
  try {
    const bytes = readIndexFile(config.db);
    return { bytes, isWritable: await mayWrite(context, bytes) };
  } catch (error) {
    log.warn(`${problemOf(config.db, error)}: indexing in memory`);
    return { bytes: undefined, isWritable: false };
  }
}

/** What is wrong with the place of the index, in words. */
function problemOf(db: string, error: unknown): string {
  if (error instanceof UnusableIndexError) return `the index file ${basename(db)} ${error.message}`;
  return `the index file cannot be used (${reasonOf(error)})`;
}

/** A newer version's index is left to it, and what is no index of ours to whoever owns it. */
async function mayWrite(context: IndexContext, bytes: Uint8Array | undefined): Promise<boolean> {
  const { config, log } = context;
  if (config.readOnly && !config.dbNamed) return false;
  if (bytes === undefined) return true;
  const owner = ownerOf(bytes, () => bytes);
  if (owner === "newer")
    log.warn("the index file belongs to a newer version: leaving it alone, indexing in memory");
  return owner === "foreign" ? moveAway(context) : owner === "ours";
}

/** Throws unless the file that has the name of the index now, if any, may be replaced. */
export function checkReplaceable(db: string): void {
  const header = readIndexHeader(db, HEADER_BYTES);
  if (header === undefined) return;
  const owner = ownerOf(header, () => readIndexFile(db));
  if (owner === "foreign") throw new UnusableIndexError("is not an index of this program");
  if (owner === "newer") throw new UnusableIndexError("belongs to a newer version");
}

/** By the header: a file that any other program made is foreign, an empty one as well. A damaged one may name any version. */
function ownerOf(header: Uint8Array, whole: () => Uint8Array | undefined): "ours" | "newer" | "foreign" {
  const { application, version = 0 } = headerVersion(header) ?? {};
  if (application !== APPLICATION_ID) return "foreign";
  return version <= SCHEMA_VERSION || isTorn(whole()) ? "ours" : "newer";
}

/** In the workspace the name is ours, and a file that has it gives way; a file that the user named stays. */
async function moveAway({ config, clock, log }: IndexContext): Promise<boolean> {
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
