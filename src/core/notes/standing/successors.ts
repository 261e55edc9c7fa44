import { groupBy, once } from "../../lib/collections.ts";
import { dirname } from "../../lib/paths.ts";
import { counted } from "../../lib/text.ts";
import { type Lookup, resolveLink } from "../link/target.ts";
import { baseName, parseTaskNumber } from "../names.ts";
import { quotePath } from "../quote.ts";
import { asFolder } from "../repository-path.ts";
import type { StandingWord } from "../words/type.ts";
import type { Relation } from "./standing.ts";

/** The documents that take the place of each at once, by path. */
export type Successors = ReadonlyMap<string, readonly string[]>;

/** What takes the place of what, by what the documents `source` say: one of two that say so is enough. */
export function directSuccessors(
  said: readonly { source: string; relations: readonly Relation[] }[],
  lookup: Lookup,
  paths: () => readonly string[],
): Successors {
  const byNumber = once(() => groupBy(paths(), (path) => numberKey(path, numberOf(baseName(path)))));
  const numbered = (source: string, reference: string) => {
    const [, number] = NUMBER.exec(reference) ?? [];
    const found = number === undefined ? [] : (byNumber().get(numberKey(source, number)) ?? []);
    return found.length === 1 ? found[0] : undefined;
  };
  const pairs = said.flatMap(({ source, relations }) =>
    relations.flatMap(({ field, path }) => {
      const other = namedBy(source, path, lookup) ?? numbered(source, path);
      if (other === undefined || other === source) return [];
      return [field === "supersedes" ? { old: other, by: source } : { old: source, by: other }];
    }),
  );
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

/** By all that is written, else by its first word. */
function namedBy(source: string, written: string, lookup: Lookup): string | undefined {
  const names = [written, /^\S+/.exec(written)?.[0] ?? written];
  const targets = names.map((path) => resolveLink(source, { kind: "wiki", path }, lookup));
  return targets.find((target) => target.kind === "document")?.path;
}

/** All that came after a document, the nearest first; nothing if that leads into a circle alone. */
export function laterThan(path: string, direct: Successors): string[] {
  const later = new Set(direct.get(path));
  for (const one of later) for (const next of direct.get(one) ?? []) later.add(next);
  later.delete(path);
  return [...later].some((one) => !direct.has(one)) ? [...later] : [];
}

/** The last ones of what came after a document. */
export function lastOf(path: string, direct: Successors): string[] {
  return laterThan(path, direct).filter((one) => !direct.has(one));
}

const MOST = 2;

/** That a document no longer holds, by what came after it or its own word, in one short sentence. */
export function lapseOf(
  word: StandingWord | null | undefined,
  successors: readonly string[],
): string | undefined {
  if (successors.length === 0 && word === "superseded") return "superseded, by no note that is here";
  if (successors.length === 0) return word === "proposed" ? undefined : (word ?? undefined);
  const more = successors.length - MOST;
  const named = successors.slice(0, MOST).map(quotePath).join(" and ");
  return `superseded by ${named}${more > 0 ? ` and ${counted(more, "more note")}` : ""}`;
}
