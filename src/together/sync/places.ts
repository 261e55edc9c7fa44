import { foldersOf, type Tree } from "./listing.ts";
import type { Note, Reconciled, Sides } from "./reconcile.ts";
import type { Reasoned } from "./syncing.ts";

/** The sides without the files that have no place, and those of them that stay here alone. */
export interface Placed {
  sides: Sides;
  blocked: Reasoned[];
}

const REASON = "the remote has something else of this name";

/** What both sides make; where one has a file and the other a folder, each keeps its own. */
export async function reconcileInPlace(
  all: Sides,
  reconcile: (sides: Sides) => Promise<Reconciled>,
): Promise<Reconciled & Placed> {
  const blocked: Reasoned[] = [];
  const aside = new Set<string>();
  for (let sides = all; ; ) {
    const reconciled = await reconcile(sides);
    const notes = withoutPlace(reconciled.notes, aside);
    if (notes.size === 0) return { ...reconciled, sides, blocked };
    for (const { ours, theirs, path } of notes) {
      if (theirs !== undefined) aside.add(theirs);
      blocked.push({ path: ours ?? path, reason: REASON });
    }
    sides = leaveNotes(sides, notes);
  }
}

/** The sides without the files that cannot be on the remote beside others. Pure. */
export function besides(sides: Sides, others: ReadonlySet<string>): Placed {
  const { base, ours, theirs } = sides;
  if (others.size === 0) return { sides, blocked: [] };
  const isBlocked = takenBy(others).isInWayOf;
  const rest = (tree: Tree) => new Map([...tree].filter(([path]) => !isBlocked(path)));
  return {
    sides: { base: rest(base), ours: rest(ours), theirs: rest(theirs) },
    blocked: [...ours.keys()].filter(isBlocked).map((path) => ({ path, reason: REASON })),
  };
}

/**
 * The notes that cannot go where they should be on the remote: in their way is what stays there, or was put aside, or comes there, others'
 * notes first.
 */
function withoutPlace(notes: readonly Note[], aside: ReadonlySet<string>): Set<Note> {
  const coming = notes.filter(({ path, theirs }) => path !== theirs);
  if (coming.length === 0) return new Set();
  const taken = takenBy([
    ...notes.filter((note) => note.path === note.theirs).map(({ path }) => path),
    ...aside,
  ]);
  const blocked = new Set<Note>();
  for (const note of coming.sort((a, b) => Number(a.theirs === undefined) - Number(b.theirs === undefined)))
    if (taken.isInWayOf(note.path)) blocked.add(note);
    else taken.add(note.path);
  const byPath = new Map(coming.map((note) => [note.path, note]));
  // One that cannot leave is in the way of the next.
  for (const { theirs = "" } of blocked) {
    const next = byPath.get(theirs);
    if (next !== undefined) blocked.add(next);
  }
  return blocked;
}

function leaveNotes({ base, ours, theirs }: Sides, notes: ReadonlySet<Note>): Sides {
  const left = { base: new Map(base), ours: new Map(ours), theirs: new Map(theirs) };
  for (const note of notes)
    for (const side of ["base", "ours", "theirs"] as const) left[side].delete(note[side] ?? "");
  return left;
}

/** Files that have their places, with the folders that they need. */
function takenBy(paths: Iterable<string>) {
  const files = new Set(paths);
  const folders = foldersOf(files);
  return {
    /** Also where a path is a folder and they are a file, or the reverse. */
    isInWayOf: (path: string) =>
      files.has(path) || folders.has(path) || [...foldersOf([path])].some((folder) => files.has(folder)),
    add: (path: string) => {
      files.add(path);
      for (const folder of foldersOf([path])) folders.add(folder);
    },
  };
}
