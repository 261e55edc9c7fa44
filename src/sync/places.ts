import { belowAny, foldersOf, type Tree } from "./listing.ts";
import type { Note, Reconciled, Sides } from "./reconcile.ts";

/** The sides without the files that have no place, and those of them that stay here alone. */
export interface Placed {
  sides: Sides;
  blocked: Blocked[];
}

export interface Blocked {
  path: string;
  reason: string;
}

const REASON = "the remote has something else of this name";

/** What both sides make; where one has a file and the other a folder, each keeps its own. */
export async function reconcileInPlace(
  all: Sides,
  reconcile: (sides: Sides) => Promise<Reconciled>,
): Promise<Reconciled & Placed> {
  const blocked: Blocked[] = [];
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
  const isBlocked = clashesWith(others);
  const rest = (tree: Tree) => new Map([...tree].filter(([path]) => !isBlocked(path)));
  return {
    sides: { base: rest(base), ours: rest(ours), theirs: rest(theirs) },
    blocked: [...ours.keys()].filter(isBlocked).map((path) => ({ path, reason: REASON })),
  };
}

/** The notes that cannot go where they should be on the remote: what stays there, or was put aside, is in their way. */
function withoutPlace(notes: readonly Note[], aside: ReadonlySet<string>): Set<Note> {
  const coming = notes.filter(({ path, theirs }) => path !== theirs);
  if (coming.length === 0) return new Set();
  const staying = notes.flatMap(({ path, theirs }) => (path === theirs ? [path] : []));
  const isBlocked = clashesWith(new Set([...staying, ...aside]));
  const blocked = new Set(coming.filter(({ path }) => isBlocked(path)));
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

/** Whether others have a path, or are a folder where it is a file, or the reverse. */
function clashesWith(others: ReadonlySet<string>): (path: string) => boolean {
  const [folders, isBelow] = [foldersOf(others), belowAny(others)];
  return (path) => others.has(path) || folders.has(path) || isBelow(path);
}
