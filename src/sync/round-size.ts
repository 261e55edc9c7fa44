import { UserError } from "../lib/errors.ts";
import { counted } from "../lib/text.ts";
import { freeBytes } from "../storage/disk.ts";
import { type Entry, MAX_FILE_BYTES } from "./store.ts";

/** A few kilobytes of git can become gigabytes of files: more than this needs a person who agrees. */
export const MAX_ROUND_BYTES = 64 * 2 ** 20;
/** The least that a file takes. */
const BLOCK = 4096;
const MB = 2 ** 20;

/** 0 for what is not there. */
export type SizeOf = (entry: Entry | undefined) => number;

interface Coming {
  sizeOf: SizeOf;
  incoming: readonly (readonly [path: string, entry: Entry])[];
  /** What is here in their places now. */
  ours: ReadonlyMap<string, string>;
}

/** Throws CONFLICT if a round would make the workspace much larger, or fill its disk. */
export function checkSize(root: string, { sizeOf, incoming, ours }: Coming, isLarge: boolean): void {
  const taken = (entry: Entry | undefined) => {
    if (entry === undefined || entry === null) return 0;
    const size = sizeOf(entry);
    return size > MAX_FILE_BYTES ? 0 : Math.max(size, BLOCK);
  };
  const bytes = incoming.reduce((sum, [path, entry]) => sum + taken(entry) - taken(ours.get(path)), 0);
  const size = `${Math.ceil(bytes / MB).toLocaleString("en")} MB`;
  if (bytes > MAX_ROUND_BYTES && !isLarge)
    throw new UserError(
      "CONFLICT",
      `${counted(incoming.length, "change")} of others would need ${size}, more than ${MAX_ROUND_BYTES / MB} MB at once, so nothing was taken over. To agree, use sync --large`,
    );
  // What they replace is kept for a while.
  if (bytes > 0 && bytes * 2 > freeBytes(root))
    throw new UserError(
      "CONFLICT",
      `the changes of others need ${size}, and the disk has not enough room for them`,
    );
}
