import type { Config } from "../core/config/options.ts";
import { attempt } from "../core/storage/fs-errors.ts";
import { ownFile, writeOwnFile } from "../core/storage/own-file.ts";
import { readIfPresent } from "../core/storage/read.ts";

type Place = Pick<Config, "state" | "root">;

const FOLDER = "board";
const MAX_BYTES = 1000;
const MAX_PORT = 65_535;
/** Earlier versions kept the token behind the port. */
const KEPT = /^([1-9]\d{0,4})(?: [\w-]{43})?\n$/;

/** Where the board of a root was last, since browsers keep settings by address; 0 for any port that is free. */
export function lastPort(place: Place): number {
  const text = attempt(() => readIfPresent(ownFile(place, FOLDER), MAX_BYTES)?.toString());
  const port = Number(KEPT.exec(text ?? "")?.[1] ?? 0);
  return port <= MAX_PORT ? port : 0;
}

/** Throws FILESYSTEM_ERROR. */
export async function keepPort(place: Place, port: number): Promise<void> {
  await writeOwnFile(ownFile(place, FOLDER), `${port}\n`);
}
