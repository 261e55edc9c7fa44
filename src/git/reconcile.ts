import { baseName } from "../notes/names.ts";
import type { Tree } from "./store.ts";

/** The files as they were when both sides last agreed, as they are here, and as they are on the remote. */
export interface Sides {
  base: Tree;
  ours: Tree;
  theirs: Tree;
}

/** A file that both sides changed: the blobs of each, and of what both began with, if there was something. */
export interface Meeting {
  path: string;
  base: string | undefined;
  ours: string;
  theirs: string;
}

/** What both sides together make. */
export interface Reconciled {
  /** Without the files that have to be merged. */
  tree: Tree;
  meetings: Meeting[];
}

/**
 * What one side changed stays; what one side removed goes, unless the other changed it. A file that one side moved takes the
 * changes of the other along. Pure.
 */
export function reconcile(sides: Sides): Reconciled {
  const { base, ours, theirs } = followMoves(sides);
  const tree: Tree = new Map();
  const meetings: Meeting[] = [];
  for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const before = base.get(path);
    const [own, other] = [ours.get(path), theirs.get(path)];
    const isMerged = own !== other && own !== before && other !== before;
    if (isMerged && own !== undefined && other !== undefined) {
      meetings.push({ path, base: before, ours: own, theirs: other });
      continue;
    }
    // Of a file that one side removed and the other changed, the change stays.
    const id = isMerged ? (own ?? other) : own === before ? other : own;
    if (id !== undefined) tree.set(path, id);
  }
  return { tree, meetings };
}

/** The same three sides as if a file that one of them moved had always been where it is now. */
function followMoves({ base, ours, theirs }: Sides): Sides {
  const [own, other] = [movesOf(base, ours), movesOf(base, theirs)];
  const moved = { base: new Map(base), ours: new Map(ours), theirs: new Map(theirs) };
  for (const from of new Set([...own.keys(), ...other.keys()])) {
    // If both moved it, it is where everybody else has it.
    const to = other.get(from) ?? own.get(from);
    const isFree = to !== undefined && isFreeFor(to, other.has(from) ? ours : theirs, own.get(from));
    if (!isFree) continue;
    move(moved.base, from, to);
    move(moved.ours, own.get(from) ?? from, to);
    move(moved.theirs, other.get(from) ?? from, to);
  }
  return moved;
}

/** Whether the side that has a file elsewhere, as `mine` or where it was, has no other file at that place. */
function isFreeFor(to: string, side: Tree, mine: string | undefined): boolean {
  return to === mine || !side.has(to);
}

function move(tree: Tree, from: string, to: string): void {
  const id = tree.get(from);
  if (id === undefined || from === to) return;
  tree.delete(from);
  tree.set(to, id);
}

/** Files that one side moved: the same text, or the same name (a number aside), in one new place only. */
export function movesOf(base: Tree, side: Tree): Map<string, string> {
  const gone = [...base].filter(([path]) => !side.has(path));
  if (gone.length === 0) return new Map();
  const fresh = [...side].filter(([path]) => !base.has(path));
  const byText = pair(gone, fresh, ([, id]) => id);
  const left = ([path]: [string, string]) => !byText.has(path);
  const taken = new Set(byText.values());
  const byName = pair(
    gone.filter(left),
    fresh.filter(([path]) => !taken.has(path)),
    ([path]) => `${path.split("/")[0]}/${baseName(path).replace(/^\d+-/, "")}`,
  );
  return new Map([...byText, ...byName]);
}

/** Pairs those whose key is unique on both sides. */
function pair(
  gone: readonly [string, string][],
  fresh: readonly [string, string][],
  keyOf: (entry: [string, string]) => string,
): Map<string, string> {
  const [from, to] = [uniqueBy(gone, keyOf), uniqueBy(fresh, keyOf)];
  const pairs = [...from].flatMap(([key, path]) => {
    const target = to.get(key);
    return path === undefined || target === undefined ? [] : [[path, target] as const];
  });
  return new Map(pairs);
}

function uniqueBy(
  entries: readonly [string, string][],
  keyOf: (entry: [string, string]) => string,
): Map<string, string | undefined> {
  const paths = new Map<string, string | undefined>();
  for (const entry of entries) paths.set(keyOf(entry), paths.has(keyOf(entry)) ? undefined : entry[0]);
  return paths;
}
