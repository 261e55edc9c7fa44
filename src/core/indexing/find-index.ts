import { basename, join } from "node:path";
import type { Config } from "../config/options.ts";
import { HEADER_BYTES, headerVersion, isTorn } from "../index/index-image.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../index/schema.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { reasonOf } from "../storage/fs-errors.ts";
import { readIndexFile, setAside, UnusableIndexError } from "../storage/index-file.ts";

export interface IndexContext {
  config: Pick<Config, "root" | "db" | "dbNamed" | "readOnly" | "reindex">;
  clock: Clock;
  log: Log;
  /** When words were last purged: an index that was begun before is not saved. */
  purgedAt?: (() => number) | undefined;
}

/** Reads the index file if there is a readable one, and decides whether it may be replaced. */
export async function findIndex(
  context: IndexContext,
): Promise<{ bytes: Uint8Array<ArrayBuffer> | undefined; isWritable: boolean }> {
  const { db } = context.config;
  try {
    const bytes = readIndexFile(db);
    return { bytes, isWritable: await mayWrite(context, bytes) };
  } catch (error) {
    const problem =
      error instanceof UnusableIndexError
        ? `${basename(db)} ${error.message}`
        : `cannot be used (${reasonOf(error)})`;
    context.log.warn(`the index file ${problem}: indexing in memory`);
    return { bytes: undefined, isWritable: false };
  }
}

async function mayWrite(context: IndexContext, bytes: Uint8Array | undefined): Promise<boolean> {
  const { config, log } = context;
  if (config.readOnly && !config.dbNamed) return false;
  if (bytes === undefined) return true;
  const owner = ownerOf(bytes, () => bytes);
  if (owner === "newer")
    log.warn("the index file belongs to a newer version: leaving it alone, indexing in memory");
  return owner === "foreign" ? moveAway(context) : owner === "ours";
}

/** Throws if the file that now has the name of the index must not be replaced. */
export function checkReplaceable(db: string): void {
  const header = readIndexFile(db, HEADER_BYTES);
  if (header === undefined) return;
  const owner = ownerOf(header, () => readIndexFile(db));
  if (owner === "foreign") throw new UnusableIndexError("is not an index of this program");
  if (owner === "newer") throw new UnusableIndexError("belongs to a newer version");
}

/** By the header; an empty file is foreign. A damaged index of ours may name any version. */
function ownerOf(header: Uint8Array, read: () => Uint8Array | undefined): "ours" | "newer" | "foreign" {
  const { application, version = 0 } = headerVersion(header) ?? {};
  if (application !== APPLICATION_ID) return "foreign";
  return version <= SCHEMA_VERSION || isTorn(read() ?? header) ? "ours" : "newer";
}

/** In the workspace the name is ours, so a foreign file is renamed; a file named by the user stays. */
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
