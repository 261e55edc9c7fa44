import { groupBy, once } from "../lib/collections.ts";
import { pathKey } from "../lib/file-names.ts";
import { foldersOf } from "../lib/paths.ts";
import { baseName } from "../notes/names.ts";

/** A path that the history of a repository had, and that left it. */
export interface Left {
  path: string;
  /** When and in which commit it left last. */
  day: string;
  time: number;
  commit: string;
  /** What git says it was renamed to then; from an index, where that is now. */
  to?: string | undefined;
}

/** What git says of a repository; paths are relative to its top. */
export interface Code {
  /** Of HEAD and the index. */
  files: readonly string[];
  left: readonly Left[];
}

export type CodeIndex = ReturnType<typeof indexOf>;

const MAX_MOVES = 50;
/** Letter case tells no paths apart: on many disks it cannot. */
export function indexOf({ files, left }: Code) {
  const present = once(() => new Set(files.flatMap((file) => [file, ...foldersOf(file)]).map(pathKey)));
  const plain = once(() => new Set(files.map(pathKey)));
  const byName = once(() => groupBy(files, nameKey));
  const gone = once(() => new Map(left.map((one) => [pathKey(one.path), one])));
  const goneByName = once(() => groupBy(left, ({ path }) => nameKey(path)));
  const byFolder = once(() => leftByFolder(left));
  const names = once(() => new Set([...goneByName().keys(), ...[...byFolder().keys()].map(baseName)]));
  /** Below a submodule, or behind a link, there may be anything. */
  const isThere = (path: string) =>
    present().has(pathKey(path)) || foldersOf(path).some((folder) => plain().has(pathKey(folder)));
  const fateOf = (one: Left): Left => {
    let { to } = one;
    for (let moves = 0; to !== undefined && !isThere(to); moves++)
      to = moves < MAX_MOVES ? gone().get(pathKey(to))?.to : undefined;
    return { ...one, to };
  };
  /** Of a folder: it moved to where most of its files are, by the same names. */
  const fateOfFolder = (folder: string): Left | undefined => {
    const fates = (byFolder().get(pathKey(folder)) ?? []).map(({ one }) => fateOf(one));
    const places = groupBy(fates, ({ path, to }) => folderOf(to, path.slice(folder.length)));
    const [to] = [...places].find(([place, { length }]) => place !== "" && length * 2 > fates.length) ?? [];
    return newest(fates, to);
  };
  return {
    isThere,
    /** Whether anything that left was called so. */
    hasLeft: (name: string) => names().has(pathKey(name)),
    /** Whether a file is there whose path ends so. */
    hasEnd: (end: string) =>
      byName()
        .get(nameKey(end))
        ?.some((path) => endsIn(path, end)) ?? false,
    /** What became of a file or folder that is not there; undefined if the history never had it. */
    fate: (path: string): Left | undefined => {
      const one = gone().get(pathKey(path));
      return one === undefined ? fateOfFolder(path) : fateOf(one);
    },
    /** Of all files together whose path ended so; undefined if they are in several places now. */
    fateOfEnd: (end: string): Left | undefined => {
      const same = goneByName().get(nameKey(end)) ?? [];
      const fates = same.filter(({ path }) => endsIn(path, end)).map(fateOf);
      const [to, ...others] = new Set(fates.flatMap((fate) => fate.to ?? []));
      return others.length > 0 ? undefined : newest(fates, to);
    },
  };
}

function leftByFolder(left: readonly Left[]) {
  const inside = left.flatMap((one) => foldersOf(one.path).map((folder) => ({ folder, one })));
  return groupBy(inside, ({ folder }) => pathKey(folder));
}

function newest(fates: readonly Left[], to: string | undefined): Left | undefined {
  const [last] = fates.toSorted((a, b) => b.time - a.time);
  return last && { ...last, to };
}

function nameKey(path: string): string {
  return pathKey(baseName(path));
}

/** The folder in which a file has this path; `""` if there is none. */
function folderOf(file = "", rest: string): string {
  return file.endsWith(rest) ? file.slice(0, -rest.length) : "";
}

function endsIn(path: string, end: string): boolean {
  return `/${pathKey(path)}`.endsWith(`/${pathKey(end)}`);
}
