import { groupBy, once } from "../../lib/collections.ts";
import { dirname } from "../../lib/paths.ts";
import { type Lookup, resolveLink } from "../link/target.ts";
import { baseName, parseTaskNumber } from "../names.ts";
import { asFolder } from "../repository-path.ts";
import type { Relation } from "./standing.ts";

/** What the document `source` says. */
export interface SourcedRelation extends Relation {
  source: string;
}

/** What takes the place of each document, by path. */
export type Successors = ReadonlyMap<string, readonly string[]>;

/** The documents that take the place of each at once: one of two that say so is enough. */
export function directSuccessors(
  relations: readonly SourcedRelation[],
  lookup: Lookup,
  paths: () => readonly string[],
): Successors {
  const byNumber = once(() => groupBy(paths(), (path) => numberKey(path, numberOf(baseName(path)))));
  const numbered = (source: string, reference: string) => {
    const [, number] = NUMBER.exec(reference) ?? [];
    const found = number === undefined ? [] : (byNumber().get(numberKey(source, number)) ?? []);
    return found.length === 1 ? found[0] : undefined;
  };
  const pairs = relations.flatMap((relation) => {
    const other = namedBy(relation, lookup) ?? numbered(relation.source, relation.path);
    if (other === undefined || other === relation.source) return [];
    return [
      relation.field === "supersedes"
        ? { old: other, by: relation.source }
        : { old: relation.source, by: other },
    ];
  });
  const grouped = [...groupBy(pairs, ({ old }) => old)];
  return new Map(grouped.map(([old, own]) => [old, [...new Set(own.map(({ by }) => by))]]));
}

/** A number of a document in the same folder: `12`, `#12`, `ADR 0012`, `decision-12`. */
const NUMBER = /^(?:\p{L}+[-_ .#]*)?#?(\d{1,6})(?![\d])/u;

function numberOf(name: string): string {
  return parseTaskNumber(name) ?? parseTaskNumber(name.replace(/^\p{L}+[-_ ]/u, "")) ?? "";
}

function numberKey(path: string, number: string): string {
  return `${dirname(asFolder(path))}#${number && Number(number)}`;
}

function namedBy({ source, kind, path }: SourcedRelation, lookup: Lookup): string | undefined {
  const names = kind === "text" ? [path, path.split(/\s/, 1)[0] ?? ""] : [path];
  for (const name of names) {
    const written = { kind: kind === "inline" ? kind : ("wiki" as const), path: name };
    const target = name === "" ? undefined : resolveLink(source, written, lookup);
    if (target?.kind === "document") return target.path;
  }
  return undefined;
}

/** All that came after each document, the nearest first; nothing for what leads into a circle alone. */
export function laterThan(direct: Successors): Successors {
  const later = [...direct.keys()].map((path) => [path, allAfter(path, direct)] as const);
  return new Map(later.filter(([, after]) => after.some((path) => !direct.has(path))));
}

/** No chain that people write is longer. */
const MOST_LATER = 30;

function allAfter(path: string, direct: Successors): string[] {
  const after = new Set(direct.get(path));
  for (const one of after) {
    if (after.size > MOST_LATER) break;
    for (const next of direct.get(one) ?? []) after.add(next);
  }
  after.delete(path);
  return [...after];
}

/** The last ones of what came after a document. */
export function lastOf(path: string, later: Successors): string[] {
  return (later.get(path) ?? []).filter((one) => !later.has(one));
}

/** Documents that take the place of each other, each group once. */
export function circlesIn(direct: Successors): string[][] {
  const seen = new Set<string>();
  const later = laterThan(direct);
  const endless = [...direct.keys()].filter((path) => !later.has(path));
  return endless.flatMap((path) => {
    const circle = [path, ...allAfter(path, direct).filter((one) => allAfter(one, direct).includes(path))];
    const isNew = circle.length > 1 && !seen.has(path);
    for (const one of circle) seen.add(one);
    return isNew ? [circle] : [];
  });
}
