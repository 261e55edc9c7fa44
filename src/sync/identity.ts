import { type Recorded, recordedMoves } from "../history/recorded-moves.ts";
import { pauses } from "../lib/pauses.ts";
import { type Lines, linesOf } from "../notes/merge/likeness.ts";
import { contentOf } from "../storage/read.ts";
import { movesOf, NOTHING_RECORDED, textsToCompare } from "./moves.ts";
import type { Identity, Sides } from "./reconcile.ts";
import type { SyncSettings } from "./settings.ts";
import type { Snapshots } from "./snapshot.ts";
import type { Store, Tree } from "./store.ts";

/** Longer texts are like no other; in a round, no more bytes than these are compared. */
const MAX_TEXT_BYTES = 512 * 1024;
const MAX_BYTES = 32 * 2 ** 20;
const READ_AT_ONCE = 50;

interface Sources {
  store: Store;
  snapshots: Snapshots;
  recorded: Recorded;
}

/** What tools recorded since the files were read that both sides agree on. */
export async function recordedHere(root: string, { agreed, synced }: SyncSettings): Promise<Recorded> {
  const since = agreed ?? synced;
  return since === undefined ? NOTHING_RECORDED : recordedMoves(root, since);
}

/** Finds where the notes of the base are on both sides. */
export async function findMoves(
  sources: Sources,
  { base, ours, theirs }: Sides,
): Promise<Pick<Identity, "ours" | "theirs">> {
  const { recorded } = sources;
  const own = textsToCompare(base, ours, recorded);
  const other = textsToCompare(base, theirs, NOTHING_RECORDED);
  const lines = await readLines(sources, own.side, [own.base, other.base, other.side]);
  return {
    ours: movesOf(base, ours, { recorded, lines }),
    theirs: movesOf(base, theirs, { recorded: NOTHING_RECORDED, lines }),
  };
}

/** The lines of texts, by blob id: of files here, and of what git has. */
async function readLines(
  { store, snapshots }: Sources,
  here: Tree,
  stored: readonly Tree[],
): Promise<Map<string, Lines>> {
  const lines = new Map<string, Lines>();
  let left = MAX_BYTES;
  const add = (id: string, bytes: Buffer) => {
    if (bytes.length > Math.min(left, MAX_TEXT_BYTES)) return;
    left -= bytes.length;
    const { exact, text } = contentOf(bytes);
    if (exact) lines.set(id, linesOf(text));
  };
  const pause = pauses();
  for (const [path, id] of here) {
    const bytes = await snapshots.bytes(new Map([[path, id]]));
    for (const one of bytes?.values() ?? []) add(id, one);
  }
  const ids = [...new Set(stored.flatMap((tree) => [...tree.values()]))];
  for (let at = 0; at < ids.length && left > 0; at += READ_AT_ONCE)
    for (const [id, bytes] of await store.blobs(ids.slice(at, at + READ_AT_ONCE), MAX_TEXT_BYTES)) {
      await pause();
      add(id, bytes);
    }
  return lines;
}
