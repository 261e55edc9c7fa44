import { groupBy, once } from "../../lib/collections.ts";
import { pathKey, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { documentPath, homeOf, locateDocument, taskKey } from "../document.ts";
import { baseName, parseTaskNumber } from "../names.ts";

const CONFLICT = "(?:[ck]onfli[ck]?t|競合|冲突|衝突|충돌|конфликт)";
/** What only programs add to a name, so that a number tells the original, too. */
const SURE = [
  /[._](?:sync-)?conflict(?:[-_]?\d[-\w]*)?$/i,
  /_[^_/]+_[\w-]+_(?:case)?conflict$/i,
  /\.variant-[0-9a-f]{4}$/i,
  new RegExp(`\\s?[([（][^()[\\]（）/]*${CONFLICT}[^()[\\]（）/]*[)\\]）]$`, "iu"),
];
/** A number, something in brackets, the word for a copy, the side of a merge, the name of a machine: only beside a document whose name is the rest. */
const LIKELY = [
  / \d{1,2}$/,
  /\s?[([（][^()[\]（）/]+[)\]）]$/,
  /(?:[\s_–—-]{1,3}|\s?の|의 |\s?的)(?:copy|copia|copie|kopi[ae]?|cópia|копия|コピー|副本|拷贝|拷貝|复制|複製|사본|복사본)(?: \d{1,2})?$/i,
  /[._](?:LOCAL|REMOTE|BASE|BACKUP)(?:[._]\d+)?$|\.(?:orig|bak|mine)$/,
  /-(?=[^-]*[A-Z])(?=[A-Z0-9-]*[-0-9]|[A-Z]{5})[A-Z0-9][A-Z0-9-]{2,14}(?:-\d{1,2})?$/,
  /(?<=^|\/)(?:Copy of|Copia de|Copie de|Cópia de|Kopie von) (?=[^/]+$)/i,
  /-[\w’']*[- ]?(?:MacBook|iMac|Mac[- ]mini)[-\w ]*$/i,
];

/** What this program calls a task has no such signs. */
const PLAIN = /^[^ ()[\]（）_.A-Zー的]*$/;

interface Named {
  path: string;
  title?: string | undefined;
}

/** The original of each copy that another program left, by the path of the copy; `all` are those that may be originals. */
export function originalsOf<T extends Named>(
  documents: readonly T[],
  all: () => readonly T[] = () => documents,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  const byName = once(() => groupBy(all(), ({ path }) => nameOf(path)));
  const byNumber = once(() => groupBy(all(), ({ path }) => taskKey(path)));
  for (const copy of documents) {
    const parts = peel(copy.path);
    if (parts === null) continue;
    const isOther = (one: T) => one.path !== copy.path && peel(one.path)?.isSure !== true;
    const named = parts.names.flatMap((name) => byName().get(name) ?? []).find(isOther);
    const key = parts.isSure ? taskKey(copy.path) : undefined;
    const numbered = key === undefined ? undefined : byNumber().get(key)?.find(isOther);
    const original = parts.isSure || isAlike(copy, named) ? (named ?? numbered) : undefined;
    if (original !== undefined) found.set(copy.path, original);
  }
  return found;
}

/** Without the copies. */
export function withoutCopies<T extends Named>(
  documents: readonly T[],
  all?: () => readonly T[],
): readonly T[] {
  const originals = originalsOf(documents, all);
  return originals.size === 0 ? documents : documents.filter(({ path }) => !originals.has(path));
}

export function pathsWithoutCopies(paths: readonly string[], all?: () => readonly string[]): string[] {
  const named = (list: readonly string[]) => list.map((path) => ({ path }));
  return withoutCopies(named(paths), all && (() => named(all()))).map(({ path }) => path);
}

/** A number says so, else the same title: `Phase 2` is a second phase, and no copy of `Phase`. */
function isAlike(copy: Named, original: Named | undefined): boolean {
  if (original === undefined) return false;
  if (parseTaskNumber(copy.path) !== null) return true;
  return copy.title !== undefined && copy.title === original.title;
}

/** The names that stay without one mark of a copy after the other; null without any. */
function peel(path: string): { names: string[]; isSure: boolean } | null {
  let rest = withoutMarkdownExtension(path);
  if (PLAIN.test(baseName(rest))) return null;
  const names: string[] = [];
  const isMarked = (mark: RegExp) => mark.test(rest);
  const isSure = SURE.some(isMarked);
  for (;;) {
    const mark = SURE.find(isMarked) ?? LIKELY.find(isMarked);
    if (mark === undefined) return names.length === 0 ? null : { names, isSure };
    rest = rest.replace(mark, "");
    names.push(nameOf(rest));
  }
}

/** Where a document belongs, for a comparison. */
function nameOf(path: string): string {
  const location = locateDocument(`${withoutMarkdownExtension(path)}.md`);
  return pathKey(location === null ? path : documentPath(homeOf(location)));
}
