import { type Recorded, recordedMoves } from "../../core/history/recorded-moves.ts";
import { pauses } from "../../core/lib/pauses.ts";
import { type Lines, linesOf } from "../../core/notes/merge/likeness.ts";
import { contentOf } from "../../core/storage/read.ts";
import { type LinesById, searchAlike, textsToCompare } from "./alike.ts";
import { NOTHING_RECORDED, searchExact } from "./moves.ts";
import type { Identity, Sides } from "./reconcile.ts";
import type { SyncSettings } from "./settings.ts";
import type { Tree } from "./store.ts";
import type { Round } from "./syncing.ts";

/** Longer texts are like no other; in a round, no more bytes than these are compared. */
const MAX_TEXT_BYTES = 512 * 1024;
const MAX_BYTES = 32 * 2 ** 20;
const READ_AT_ONCE = 50;

/** What tools recorded since the files were read that both sides agree on. */
export async function recordedHere(root: string, { agreed, synced }: SyncSettings): Promise<Recorded> {
  const since = agreed ?? synced;
  return since === undefined ? NOTHING_RECORDED : recordedMoves(root, since);
}

/** Reads lines: of files here, and of what git has. */
type ReadLines = (here: Tree, stored: readonly Tree[]) => Promise<LinesById>;

/** Finds where the notes of the base are on both sides. The same for all machines but for what is recorded. */
export async function findMoves(
  { base, ours, theirs }: Sides,
  recorded: Recorded,
  read: ReadLines,
): Promise<Pick<Identity, "ours" | "theirs">> {
  const own = await searchExact(base, ours, recorded);
  const other = await searchExact(base, theirs, NOTHING_RECORDED);
  const [here, there] = [textsToCompare(own), textsToCompare(other)];
  const lines = await read(here.side, [here.base, there.base, there.side]);
  await searchAlike(own, lines);
  await searchAlike(other, lines);
  return { ours: own.moves, theirs: other.moves };
}

export async function readLines(
  { store, snapshots }: Pick<Round, "store" | "snapshots">,
  here: Tree,
  stored: readonly Tree[],
): Promise<Map<string, Lines>> {
  const lines = new Map<string, Lines>();
  const pause = pauses();
  let left = MAX_BYTES;
  const add = async (id: string, bytes: Buffer) => {
    await pause();
    if (bytes.length > Math.min(left, MAX_TEXT_BYTES)) return;
    left -= bytes.length;
    const { exact, text } = contentOf(bytes);
    if (exact) lines.set(id, linesOf(text));
  };
  for (const [path, id] of here)
    for (const bytes of (await snapshots.bytes(new Map([[path, id]])))?.values() ?? []) await add(id, bytes);
  const ids = [...new Set(stored.flatMap((tree) => [...tree.values()]))];
  for (let at = 0; at < ids.length && left > 0; at += READ_AT_ONCE)
    for (const found of await store.blobs(ids.slice(at, at + READ_AT_ONCE), MAX_TEXT_BYTES))
      await add(...found);
  return lines;
}
