import { groupBy } from "../../core/lib/collections.ts";
import { isMarkdown } from "../../core/lib/file-names.ts";
import { pauses } from "../../core/lib/pauses.ts";
import { compareText } from "../../core/lib/text.ts";
import { taskKey } from "../../core/notes/document.ts";
import { isEnough, type Lines, likeness, scoreOf } from "../../core/notes/merge/likeness.ts";
import { projectOf } from "../../core/notes/names.ts";
import { add, changedPaths, openSources, openTargets, plainName, type Search } from "./moves.ts";
import type { Tree } from "./store.ts";

/** A note with less of its old text may be another one. */
const REWRITTEN = 0.25;
/** As many texts of one side are compared, each with so many others that share most with it. */
const MAX_TEXTS = 2_000;
const MAX_LIKELY = 16;
/** A line that more notes have says nothing. */
const MAX_SHARING = 8;

/** The lines of texts, by blob id; a missing text is like no other. */
export type LinesById = ReadonlyMap<string, Lines>;

/** The files of both trees that `searchAlike` compares. */
export function textsToCompare(search: Search): { base: Tree; side: Tree } {
  const sources = openSources(search);
  if (sources.length === 0) return { base: new Map(), side: new Map() };
  const changed = changedPaths(search);
  const textsOf = (tree: Tree, paths: readonly string[]): Tree => {
    const notes = [...paths, ...changed].filter(isMarkdown).slice(0, MAX_TEXTS);
    return new Map(notes.map((path) => [path, tree.get(path) ?? ""]));
  };
  const targets = textsOf(search.side, openTargets(search));
  return { base: targets.size === 0 ? new Map() : textsOf(search.base, sources), side: targets };
}

/** Finds the notes that moved, and changed, by texts that are alike. A name or number alone says nothing. */
export async function searchAlike(search: Search, lines: LinesById): Promise<void> {
  if (openSources(search).length === 0) return;
  const changed = changedPaths(search);
  for (const path of changed) if (isRewritten(search, path, lines)) search.left.add(path);
  for (const { from, to } of await alikePairs(search, lines)) add(search, from, to);
}

function isRewritten({ base, side }: Search, path: string, lines: LinesById): boolean {
  const [before, after] = [lines.get(base.get(path) ?? ""), lines.get(side.get(path) ?? "")];
  if (before === undefined || after === undefined) return false;
  const alike = likeness(before, after);
  return Math.max(alike.lines, alike.characters) < REWRITTEN;
}

async function alikePairs(search: Search, lines: LinesById) {
  const textsOf = (tree: Tree, paths: readonly string[]) =>
    paths.flatMap((path) => {
      const text = isMarkdown(path) ? lines.get(tree.get(path) ?? "") : undefined;
      return text === undefined ? [] : [{ path, text }];
    });
  const likely = likelySources(textsOf(search.base, openSources(search)));
  const pairs: { from: string; to: string; score: number }[] = [];
  const pause = pauses();
  for (const target of textsOf(search.side, openTargets(search))) {
    await pause();
    for (const source of likely(target)) {
      const score = scoreOf(source.text, target.text, isNamed(source, target));
      if (isEnough(score)) pairs.push({ from: source.path, to: target.path, score });
    }
  }
  return pairs.sort((a, b) => b.score - a.score || compareText(a.from, b.from) || compareText(a.to, b.to));
}

interface Text {
  path: string;
  text: Lines;
}

/** Finds the sources that share most with a target, and those of its name or number. */
function likelySources(sources: readonly Text[]): (target: Text) => Set<Text> {
  const byLine = new Map<string, Text[]>();
  for (const source of sources)
    for (const line of source.text.counts.keys()) {
      const texts = byLine.get(line);
      if (texts === undefined) byLine.set(line, [source]);
      else if (texts.length <= MAX_SHARING) texts.push(source);
    }
  const byName = groupBy(sources, ({ path }) => plainName(path));
  const byNumber = groupBy(sources, ({ path }) => taskKey(path) ?? "");
  return ({ path, text }) => {
    const shared = new Map<Text, number>();
    for (const line of text.counts.keys()) {
      const texts = byLine.get(line) ?? [];
      if (texts.length > MAX_SHARING) continue;
      for (const one of texts) shared.set(one, (shared.get(one) ?? 0) + line.length);
    }
    const best = [...shared].sort(([a, one], [b, other]) => other - one || compareText(a.path, b.path));
    const named = [byName.get(plainName(path)) ?? [], byNumber.get(taskKey(path) ?? " ") ?? []];
    return new Set([
      ...best.slice(0, MAX_LIKELY).map(([source]) => source),
      ...named.flatMap((texts) => texts.slice(0, MAX_SHARING)),
    ]);
  };
}

function isNamed({ path: from }: Text, { path: to }: Text): boolean {
  const number = taskKey(from);
  return (
    (number !== undefined && number === taskKey(to)) ||
    (projectOf(from) === projectOf(to) && plainName(from) === plainName(to))
  );
}
