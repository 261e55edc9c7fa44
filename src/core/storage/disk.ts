import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "./fs-errors.ts";
import { namesIn } from "./inspect.ts";

/** What this user may still write to the disk of a folder (absolute); unlimited if the disk does not say. */
export function freeBytes(folder: string): number {
  const disk = attempt(() => statfsSync(folder));
  return disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
}

/** The size of the files in a folder (absolute) whose names begin with `prefix`. */
export function bytesIn(folder: string, prefix: string): number {
  const files = namesIn(folder).filter((name) => name.startsWith(prefix));
  return files.reduce((sum, name) => sum + (attempt(() => statSync(join(folder, name)).size) ?? 0), 0);
}
