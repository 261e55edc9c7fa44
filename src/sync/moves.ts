import { projectOf } from "../history/history.ts";
import type { Recorded } from "../history/recorded-moves.ts";
import { groupBy } from "../lib/collections.ts";
import { isMarkdown } from "../lib/file-names.ts";
import { compareText } from "../lib/text.ts";
import { type Lines, likeness } from "../notes/merge/likeness.ts";
import { baseName } from "../notes/names.ts";
import { taskKey } from "../notes/task/shared-numbers.ts";
import type { Tree } from "./store.ts";

/** Where the notes of a tree are on one side now: new paths by old ones, without those that stayed. */
export type Moves = ReadonlyMap<string, string>;

/** What says which file a note is now. */
export interface Evidence {
  /** What our tools recorded since both sides agreed. */
  recorded: Recorded;
  /** The lines of texts, by blob id; a missing text is like no other. */
  lines: ReadonlyMap<string, Lines>;
}

export const NOTHING_RECORDED: Recorded = { moves: new Map(), left: new Set() };

/** Half of the lines or characters, as git has it; the same name or number counts like a quarter. */
const ENOUGH = 0.5;
const NAMED = 0.25;
/** A note with less of its old text may be another one. */
const REWRITTEN = 0.25;
/** As many texts of one side are compared. */
const MAX_TEXTS = 2_000;
/** A line that more notes have says nothing. */
const MAX_SHARING = 8;

/** What the moves of one side are found in. */
interface Search {
  base: Tree;
  side: Tree;
  moves: Map<string, string>;
  /** New paths that a note has moved to. */
  taken: Set<string>;
  /** Paths whose text is another one, on both sides. */
  left: Set<string>;
}

/**
 * Finds the notes that one side moved: by what is recorded, then by equal texts, then by texts that are alike. A name or number alone
 * says nothing. Pure; the same for all machines but for what is recorded.
 */
export function movesOf(base: Tree, side: Tree, { recorded, lines }: Evidence): Moves {
  const search = searchExact(base, side, recorded);
  const sources = openSources(search);
  if (sources.length === 0) return search.moves;
  for (const path of changedPaths(search)) if (isRewritten(search, path, lines)) search.left.add(path);
  for (const [from, to] of alikePairs(search, lines)) add(search, from, to);
  return search.moves;
}

/** The files of both trees whose lines `movesOf` compares. */
export function textsToCompare(base: Tree, side: Tree, recorded: Recorded): { base: Tree; side: Tree } {
  const search = searchExact(base, side, recorded);
  const sources = openSources(search);
  if (sources.length === 0) return { base: new Map(), side: new Map() };
  const changed = changedPaths(search);
  const textsOf = (tree: Tree, paths: readonly string[]): Tree => {
    const notes = [...paths, ...changed].filter(isMarkdown).slice(0, MAX_TEXTS);
    return new Map(notes.map((path) => [path, tree.get(path) ?? ""]));
  };
  const targets = textsOf(side, openTargets(search));
  return { base: targets.size === 0 ? new Map() : textsOf(base, sources), side: targets };
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

function searchExact(base: Tree, side: Tree, recorded: Recorded): Search {
  const search: Search = { base, side, moves: new Map(), taken: new Set(), left: new Set() };
  const hasMoved = ([from, to]: readonly [string, string]) =>
    base.has(from) && side.has(to) && isChanged(search, from) && isChanged(search, to);
  for (const [from, to] of recorded.moves) if (hasMoved([from, to])) add(search, from, to);
  const changed = changedPaths(search);
  for (const path of changed) if (recorded.left.has(path)) search.left.add(path);
  for (const path of leftPaths(search)) search.left.add(path);
  // The more of its path a note keeps, the surer it is that one.
  const names = [restOf, baseName, plainName, () => ""];
  for (const nameOf of names) pairEqual(search, nameOf);
  return search;
}

function isChanged({ base, side }: Search, path: string): boolean {
  return base.get(path) !== side.get(path);
}

function add({ moves, taken }: Search, from: string, to: string): void {
  if (from === to || moves.has(from) || taken.has(to)) return;
  moves.set(from, to);
  taken.add(to);
}

/** The path below the project, archived or not. */
function restOf(path: string): string {
  return path.slice(path.indexOf("/") + 1).replace(/^archive\//, "");
}

/** The name without the number of a task. */
function plainName(path: string): string {
  return baseName(path).replace(/^\d+-/, "");
}

/** Notes of the base that are not found yet. */
function openSources({ base, side, moves, taken, left }: Search): string[] {
  return [...base.keys()].filter(
    (path) => !moves.has(path) && (!side.has(path) || taken.has(path) || left.has(path)),
  );
}

/** Files that may be one of them. */
function openTargets({ base, side, moves, taken, left }: Search): string[] {
  return [...side.keys()].filter(
    (path) => !taken.has(path) && (!base.has(path) || moves.has(path) || left.has(path)),
  );
}

/** Notes that are where they were, with another text. */
function changedPaths(search: Search): string[] {
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

function isRewritten({ base, side }: Search, path: string, lines: Evidence["lines"]): boolean {
  const [before, after] = [lines.get(base.get(path) ?? ""), lines.get(side.get(path) ?? "")];
  if (before === undefined || after === undefined) return false;
  const alike = likeness(before, after);
  return Math.max(alike.lines, alike.characters) < REWRITTEN;
}

/** The pairs whose texts are alike, the most alike first. */
function alikePairs(search: Search, lines: Evidence["lines"]): [from: string, to: string][] {
  const textsOf = (tree: Tree, paths: readonly string[]) =>
    paths.flatMap((path) => {
      const text = isMarkdown(path) ? lines.get(tree.get(path) ?? "") : undefined;
      return text === undefined ? [] : [{ path, text }];
    });
  const sources = textsOf(search.base, openSources(search));
  const likely = likelySources(sources);
  const pairs = textsOf(search.side, openTargets(search)).flatMap((target) =>
    [...likely(target)].flatMap((source) => {
      const score = scoreOf(source, target);
      return score < ENOUGH ? [] : [{ from: source.path, to: target.path, score }];
    }),
  );
  pairs.sort((a, b) => b.score - a.score || compareText(a.from, b.from) || compareText(a.to, b.to));
  return pairs.map(({ from, to }) => [from, to]);
}

interface Text {
  path: string;
  text: Lines;
}

/** Finds the sources that share a line, the name or the number with a target. */
function likelySources(sources: readonly Text[]): (target: Text) => Set<Text> {
  const byLine = new Map<string, Text[]>();
  const hint = (key: string, source: Text) => byLine.set(key, [...(byLine.get(key) ?? []), source]);
  for (const source of sources) {
    for (const line of source.text.counts.keys())
      if ((byLine.get(line)?.length ?? 0) <= MAX_SHARING) hint(line, source);
  }
  const byName = groupBy(sources, ({ path }) => plainName(path));
  const byNumber = groupBy(sources, ({ path }) => taskKey(path) ?? "");
  return ({ path, text }) => {
    const shared = [...text.counts.keys()].map((line) => byLine.get(line) ?? []);
    const named = [byName.get(plainName(path)) ?? [], byNumber.get(taskKey(path) ?? " ") ?? []];
    const said = shared.filter((texts) => texts.length <= MAX_SHARING);
    return new Set([...said.flat(), ...named.flatMap((texts) => texts.slice(0, MAX_SHARING))]);
  };
}

function scoreOf(source: Text, target: Text): number {
  const { lines, characters } = likeness(source.text, target.text);
  const number = taskKey(source.path);
  const isNamed =
    (number !== undefined && number === taskKey(target.path)) ||
    (projectOf(source.path) === projectOf(target.path) && plainName(source.path) === plainName(target.path));
  return Math.max(lines, characters + (isNamed ? NAMED : 0));
}
