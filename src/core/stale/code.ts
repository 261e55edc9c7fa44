import { groupBy, once } from "../lib/collections.ts";
import { pathKey } from "../lib/file-names.ts";
import { baseName } from "../notes/names.ts";

/** A path that the history of a repository had, and that left it. */
export interface Left {
  path: string;
  /** When and in which commit it left last. */
  day: string;
  time: number;
  commit: string;
  /** What git says it was renamed to then. */
  to?: string | undefined;
}

/** What git says of a repository; paths are relative to its top. */
export interface Code {
  /** Of HEAD and the index. */
  files: readonly string[];
  left: readonly Left[];
}

/** What became of a path that is not there any more; `to` is where it is now. */
export type Fate = Left;

export type CodeIndex = ReturnType<typeof indexOf>;

const MAX_MOVES = 50;
/** Letter case tells no paths apart: on many disks it cannot. */
export function indexOf({ files, left }: Code) {
  const present = once(() => new Set(files.flatMap((file) => [file, ...foldersOf(file)]).map(pathKey)));
  const plain = once(() => new Set(files.map(pathKey)));
  const byName = once(() => groupBy(files, (file) => pathKey(baseName(file))));
  const gone = once(() => new Map(left.map((one) => [pathKey(one.path), one])));
  const goneByName = once(() => groupBy(left, ({ path }) => pathKey(baseName(path))));
  const byFolder = once(() => {
    const inside = left.flatMap((one) => foldersOf(one.path).map((folder) => ({ folder, one })));
    return groupBy(inside, ({ folder }) => pathKey(folder));
  });
  const names = once(() => new Set([...gone().keys(), ...byFolder().keys()].map(baseName)));
  /** Below a submodule, or behind a link, there may be anything. */
  const isThere = (path: string) =>
    present().has(pathKey(path)) || foldersOf(path).some((folder) => plain().has(pathKey(folder)));
  const fateOf = (one: Left): Fate => {
    const { to, ...fate } = one;
    let at = to;
    for (let moves = 0; at !== undefined && !isThere(at); moves++)
      at = moves < MAX_MOVES ? gone().get(pathKey(at))?.to : undefined;
    return at === undefined ? fate : { ...fate, to: at };
  };
  return {
    isThere,
    /** Whether anything that left was called so. */
    hasLeft: (name: string) => names().has(pathKey(name)),
    /** Whether a file is there whose path ends so. */
    hasEnd: (end: string) => (byName().get(pathKey(baseName(end))) ?? []).some((path) => endsIn(path, end)),
    /** Of a file that is not there; undefined if the history never had it. */
    fate: (path: string): Fate | undefined => {
      const one = gone().get(pathKey(path));
      return one && fateOf(one);
    },
    /** Of all files together whose path ended so; undefined if they are in several places now. */
    fateOfEnd: (end: string): Fate | undefined => {
      const same = goneByName().get(pathKey(baseName(end))) ?? [];
      const fates = same.filter(({ path }) => endsIn(path, end)).map(fateOf);
      const [to, ...others] = new Set(fates.flatMap((fate) => fate.to ?? []));
      return others.length > 0 ? undefined : newest(fates, to);
    },
    /** Of a folder that is not there: moved to where most of its files are, by the same names. */
    fateOfFolder: (folder: string): Fate | undefined => {
      const fates = (byFolder().get(pathKey(folder)) ?? []).map(({ one }) => fateOf(one));
      const places = groupBy(fates, ({ path, to }) => folderOf(to, path.slice(folder.length)));
      const [to] = [...places].find(([place, { length }]) => place !== "" && length * 2 > fates.length) ?? [];
      return newest(fates, to);
    },
  };
}

function newest(fates: readonly Fate[], to: string | undefined): Fate | undefined {
  const [last] = fates.toSorted((a, b) => b.time - a.time);
  return last && { ...last, to };
}

/** The folder in which a file has this path; `""` if there is none. */
function folderOf(file = "", rest: string): string {
  return file.endsWith(rest) ? file.slice(0, -rest.length) : "";
}

function endsIn(path: string, end: string): boolean {
  return `/${pathKey(path)}`.endsWith(`/${pathKey(end)}`);
}

/** `a/b` and `a` of `a/b/c.ts`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    folders.push(path.slice(0, at));
  return folders;
}
