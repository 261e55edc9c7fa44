import type { Recorded } from "../../core/history/recorded-moves.ts";
import { groupBy } from "../../core/lib/collections.ts";
import { pauses } from "../../core/lib/pauses.ts";
import { compareText } from "../../core/lib/text.ts";
import { baseName, behindNumber, projectOf } from "../../core/notes/names.ts";
import type { Tree } from "./store.ts";

/** Where the notes of a tree are on one side now: new paths by old ones, without those that stayed. */
export type Moves = ReadonlyMap<string, string>;

export const NOTHING_RECORDED: Recorded = { moves: new Map(), left: new Set() };

/** What the moves of one side are found in. */
export interface Search {
  base: Tree;
  side: Tree;
  moves: Map<string, string>;
  /** New paths that a note has moved to. */
  taken: Set<string>;
  /** Paths whose text is another one, on both sides. */
  left: Set<string>;
}

/** Where a note of the base is on a side; undefined if it is gone. */
export function placesOn(side: Tree, moves: Moves): (path: string) => string | undefined {
  const taken = new Set(moves.values());
  return (path) => moves.get(path) ?? (side.has(path) && !taken.has(path) ? path : undefined);
}

/** Where a new file belongs if the side renamed its project: below the new name. */
export function renamedProjects(base: Tree, side: Tree, moves: Moves): (path: string) => string {
  const present = new Set([...side.keys()].map(projectOf));
  const gone = groupBy(
    [...base.keys()].filter((path) => !present.has(projectOf(path))),
    projectOf,
  );
  const names = new Map<string, string>();
  for (const [project, paths] of gone) {
    const moved = paths.flatMap((path) => moves.get(path) ?? []);
    const [name, ...others] = new Set(moved.map(projectOf));
    if (name !== undefined && others.length === 0 && moved.length * 2 >= paths.length)
      names.set(project, name);
  }
  return (path) => {
    const project = projectOf(path);
    return (names.get(project) ?? project) + path.slice(project.length);
  };
}

/** Finds the notes that one side moved by what our tools recorded since both sides agreed, then by equal texts. */
export async function searchExact(base: Tree, side: Tree, recorded: Recorded): Promise<Search> {
  const search: Search = { base, side, moves: new Map(), taken: new Set(), left: new Set() };
  const hasMoved = ([from, to]: readonly [string, string]) =>
    base.has(from) && side.has(to) && isChanged(search, from) && isChanged(search, to);
  for (const [from, to] of recorded.moves) if (hasMoved([from, to])) add(search, from, to);
  for (const path of changedPaths(search)) if (recorded.left.has(path)) search.left.add(path);
  for (const path of leftPaths(search)) search.left.add(path);
  const pause = pauses();
  // The more of its path a note keeps, the surer it is that one.
  for (const nameOf of [restOf, baseName, plainName, () => ""]) {
    await pause();
    pairEqual(search, nameOf);
  }
  return search;
}

function isChanged({ base, side }: Search, path: string): boolean {
  return base.get(path) !== side.get(path);
}

export function add({ moves, taken }: Search, from: string, to: string): void {
  if (from === to || moves.has(from) || taken.has(to)) return;
  moves.set(from, to);
  taken.add(to);
}

/** The path below the project, archived or not. */
function restOf(path: string): string {
  return path.slice(path.indexOf("/") + 1).replace(/^archive\//, "");
}

/** The name without the number of a task. */
export function plainName(path: string): string {
  return behindNumber(baseName(path));
}

/** Notes of the base that are not found yet. */
export function openSources({ base, side, moves, taken, left }: Search): string[] {
  return [...base.keys()].filter(
    (path) => !moves.has(path) && (!side.has(path) || taken.has(path) || left.has(path)),
  );
}

/** Files that may be one of them. */
export function openTargets({ base, side, moves, taken, left }: Search): string[] {
  return [...side.keys()].filter(
    (path) => !taken.has(path) && (!base.has(path) || moves.has(path) || left.has(path)),
  );
}

/** Notes that are where they were, with another text. */
export function changedPaths(search: Search): string[] {
  const { base, side, moves, taken, left } = search;
  return [...base.keys()].filter(
    (path) =>
      side.has(path) && isChanged(search, path) && !moves.has(path) && !taken.has(path) && !left.has(path),
  );
}

/**
 * Changed paths that have the text of another note which left its own place: chains and swaps of moves. A text that stayed where it
 * was as well is a copy.
 */
function leftPaths(search: Search): Set<string> {
  const { base, side } = search;
  const changed = changedPaths(search);
  const left = new Set(changed);
  const leaving = new Map<string, number>();
  for (const path of [...openSources(search), ...changed]) {
    const id = base.get(path) ?? "";
    leaving.set(id, (leaving.get(id) ?? 0) + 1);
  }
  const readers = groupBy(changed, (path) => side.get(path) ?? "");
  const stays = changed.filter((path) => !leaving.has(side.get(path) ?? ""));
  for (const path of stays) {
    if (!left.delete(path)) continue;
    const id = base.get(path) ?? "";
    const others = (leaving.get(id) ?? 0) - 1;
    leaving.set(id, others);
    if (others === 0) for (const reader of readers.get(id) ?? []) stays.push(reader);
  }
  return left;
}

/** Pairs equal texts of one name in the order of their paths. */
function pairEqual(search: Search, nameOf: (path: string) => string): void {
  const keyed = (tree: Tree, paths: readonly string[]) =>
    groupBy([...paths].sort(compareText), (path) => `${tree.get(path)} ${nameOf(path)}`);
  const targets = keyed(search.side, openTargets(search));
  for (const [key, sources] of keyed(search.base, openSources(search)))
    for (const [at, to] of (targets.get(key) ?? []).entries()) {
      const from = sources[at];
      if (from !== undefined) add(search, from, to);
    }
}
