import { groupBy } from "../../core/lib/collections.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { counted } from "../../core/lib/text.ts";
import { freeBytes } from "../../core/storage/disk.ts";
import { foldersOf, MAX_ENTRIES } from "./listing.ts";
import type { Reconciled, Sides } from "./reconcile.ts";
import { differences } from "./sides.ts";
import { type Difference, MAX_FILE_BYTES, type Tree, type TreeEntry } from "./store.ts";
import type { Round } from "./syncing.ts";

/** A few kilobytes of git can become gigabytes of files: more than this needs a person who agrees. */
export const MAX_ROUND_BYTES = 64 * 2 ** 20;
/** The share of what can be synced from which on it is said. */
const NEAR = 0.9;
/** The least that a file takes. */
const BLOCK = 4096;
const MB = 2 ** 20;

/** 0 for what is not there. */
export type SizeOf = (entry: TreeEntry | undefined) => number;

/** Throws CONFLICT if what others changed would make the workspace much larger, or fill its disk. */
export async function checkSizes(round: Round, { ours }: Sides, found: Reconciled): Promise<SizeOf> {
  const theirs = found.meetings.map(({ path, theirs }) => [path, theirs] as const);
  const incoming = differences(ours, new Map([...found.tree, ...theirs]));
  const ids = incoming.flatMap(([path, entry]) => [entry, ours.get(path)]);
  const sizes = await round.store.sizes(ids.filter((id) => typeof id === "string"));
  const sizeOf: SizeOf = (entry) =>
    typeof entry === "string" ? (sizes.get(entry) ?? 0) : (entry?.length ?? 0);
  checkBytes(round, incoming.length, bytesFor(incoming, ours, sizeOf));
  round.report.warning = checkCount([...found.tree.keys(), ...theirs.map(([path]) => path)]);
  return sizeOf;
}

/** What to say near the limit, as the end of a sentence. Throws CONFLICT if the remote would have more files and folders than any machine reads. */
export function checkCount(paths: readonly string[], most = MAX_ENTRIES): string | undefined {
  const count = paths.length + foldersOf(paths).size;
  if (count < most * NEAR) return undefined;
  const all = paths.flatMap((path) => [...foldersOf([path])]);
  const weigh = ([folder, files]: [string, string[]]) => files.length * folder.split("/").length;
  const [[folder = ""] = []] = [...groupBy(all, (each) => each)].sort((a, b) => weigh(b) - weigh(a));
  const total = `${most.toLocaleString("en")} files and folders`;
  const where = `in ${quoteName(folder)}: move what is no note elsewhere, or name it in .vibeignore`;
  if (count < most)
    return `over nine tenths of the ${total} that can be synced are used, most of them ${where}`;
  throw new UserError(
    "CONFLICT",
    `the remote would have over ${total}, so nothing was sent. Most of them are ${where}`,
  );
}

/** How much larger the workspace would be. */
function bytesFor(incoming: readonly Difference[], ours: Tree, sizeOf: SizeOf): number {
  const taken = (entry: TreeEntry | undefined) => {
    const size = sizeOf(entry);
    return size > MAX_FILE_BYTES || entry == null ? 0 : Math.max(size, BLOCK);
  };
  return incoming.reduce((sum, [path, entry]) => sum + taken(entry) - taken(ours.get(path)), 0);
}

function checkBytes({ workspace, how }: Round, changes: number, bytes: number): void {
  const size = `${Math.ceil(bytes / MB).toLocaleString("en")} MB`;
  if (bytes > MAX_ROUND_BYTES && !how.isLarge)
    throw new UserError(
      "CONFLICT",
      `${counted(changes, "change")} of others would need ${size}, more than ${MAX_ROUND_BYTES / MB} MB at once, so nothing was taken over. To agree, use sync --large`,
    );
  // What they replace is kept for a while.
  if (bytes > 0 && bytes * 2 > freeBytes(workspace.root))
    throw new UserError(
      "CONFLICT",
      `the changes of others need ${size}, and the disk has not enough room for them`,
    );
}
