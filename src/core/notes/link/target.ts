import { groupBy, once, remember } from "../../lib/collections.ts";
import {
  isMarkdown,
  pathKey,
  withMarkdownExtension,
  withoutMarkdownExtension,
} from "../../lib/file-names.ts";
import { dirname, joinPath } from "../../lib/paths.ts";
import { isTaskPath, locateDocument } from "../document.ts";
import { baseName, projectOf } from "../names.ts";
import { asFolder, asPath, repositoryFile, repositoryPath } from "../repository-path.ts";
import { pathsWithoutCopies } from "../task/copies.ts";
import { byReference, localReference, tasksByKey } from "../task/dependencies.ts";
import { type Link, nameKey } from "./links.ts";

/** The documents that exist. */
export interface Lookup {
  /** The paths of all documents whose `nameKey` this is. */
  named(name: string): readonly string[];
  /** The paths in a project whose `nameKey` this is. */
  namedIn(project: string, name: string): readonly string[];
  /** The paths of all documents with an alias whose `nameKey` this is. */
  aliased(name: string): readonly string[];
  /** The paths that differ from this one at most in case and composition. */
  alike(path: string): readonly string[];
  /** The paths of a project's tasks, archived ones included, by the keys that refer to them. */
  tasks(project: string): ReadonlyMap<string, readonly string[]>;
  /** Whether the documents of a repository are known. */
  hasRepository?: boolean;
}

/** Where the paths of documents come from; each is asked once per name. */
interface PathSource {
  named(name: string): readonly string[];
  aliased(name: string): readonly string[];
  /** The paths of a project's tasks, archived ones included. */
  tasks(project: string): readonly string[];
}

export function lookupIn(source: PathSource): Lookup {
  const named = remember(source.named);
  const byProject = remember((name: string) => groupBy(named(name), projectOf));
  const byPath = remember((name: string) => groupBy(named(name), pathKey));
  return {
    named,
    aliased: remember(source.aliased),
    namedIn: (project, name) => byProject(name).get(project) ?? [],
    alike: (path) => byPath(nameKey(path)).get(pathKey(path)) ?? [],
    tasks: remember((project) => {
      const tasks = tasksByKey(pathsWithoutCopies(source.tasks(project)).map((filename) => ({ filename })));
      return new Map([...tasks].map(([key, own]) => [key, own.map(({ filename }) => filename)]));
    }),
  };
}

/** Both; of documents with the same name, those of `first` alone. */
export function joinLookups(first: Lookup, second: Lookup): Lookup {
  const either = (own: readonly string[], others: readonly string[]) => (own.length > 0 ? own : others);
  return {
    named: (name) => either(first.named(name), second.named(name)),
    namedIn: (project, name) => either(first.namedIn(project, name), second.namedIn(project, name)),
    aliased: (name) => either(first.aliased(name), second.aliased(name)),
    alike: (path) => either(first.alike(path), second.alike(path)),
    tasks: first.tasks,
    hasRepository: true,
  };
}

/** Another name of the document at `path`. */
export interface Alias {
  path: string;
  alias: string;
}

export function lookupOf(paths: readonly string[], aliases: readonly Alias[] = []): Lookup {
  const byAlias = once(() => groupBy(aliases, ({ alias }) => nameKey(alias)));
  const byName = once(() => groupBy(paths, nameKey));
  const tasks = once(() => groupBy(paths.filter(isTaskPath), projectOf));
  return lookupIn({
    named: (name) => byName().get(name) ?? [],
    aliased: (name) =>
      byAlias()
        .get(name)
        ?.map(({ path }) => path) ?? [],
    tasks: (project) => tasks().get(project) ?? [],
  });
}

/** `elsewhere` is what no document can be: another file, or a place outside the projects. */
export type LinkTarget =
  | { kind: "document"; path: string }
  | { kind: "ambiguous" | "missing"; candidates: readonly string[] }
  | { kind: "elsewhere"; paths: readonly string[] };

/** `![[image.png]]` is no document; `[[version 1.2]]` may be one. */
const EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i;

type WrittenLink = Pick<Link, "kind" | "path" | "task">;

/** Where a link in the document `source` leads. A missing document's candidates are those of its name elsewhere. */
export function resolveLink(source: string, link: WrittenLink, lookup: Lookup): LinkTarget {
  const { kind, path, task } = link;
  if (path === "") return { kind: "document", path: source };
  if (kind === "dependency") return resolveTask(source, path, lookup);
  const isNote = isMarkdown(path);
  if (!isNote && !isWiki(kind)) return elsewhere(source, link);
  const target = isBareName(link) ? resolveName(source, path, lookup) : resolvePath(source, link, lookup);
  if (target.kind !== "missing") return target;
  const named = task === undefined ? target : resolveTask(source, task, lookup);
  if (named.kind !== "missing") return named;
  return !isNote && EXTENSION.test(path) ? elsewhere(source, link) : target;
}

/** `[[name]]`, as opposed to `[[folder/name]]` and `[text](name.md)`. */
function isBareName({ kind, path }: WrittenLink): boolean {
  return isWiki(kind) && !path.includes("/");
}

export function isWiki(kind: Link["kind"]): boolean {
  return kind === "wiki" || kind === "embed";
}

/** In the project, else in the whole workspace: a document of that name, else one with that alias. */
function resolveName(source: string, name: string, lookup: Lookup): LinkTarget {
  const key = nameKey(name);
  const inProject = lookup.namedIn(projectOf(source), key);
  const wanted = withoutMarkdownExtension(name);
  const isExact = (path: string) => withoutMarkdownExtension(baseName(path)) === wanted;
  const found = targetOf(inProject.length > 0 ? inProject : lookup.named(key), isExact);
  if (found !== null) return found;
  const aliased = lookup.aliased(key);
  const own = aliased.filter((path) => projectOf(path) === projectOf(source));
  return targetOf(own.length > 0 ? own : aliased) ?? missing([]);
}

function resolvePath(source: string, link: WrittenLink, lookup: Lookup): LinkTarget {
  const places = placesOf(source, link).map(withMarkdownExtension);
  for (const place of places) {
    const target = targetOf(lookup.alike(place), (path) => path === place);
    if (target !== null) return target;
  }
  return places.some((place) => mayBeThere(place, lookup))
    ? missing(lookup.named(nameKey(link.path)))
    : elsewhere(source, link);
}

/** Of an unknown repository, and of hidden files, nothing is known. */
function mayBeThere(place: string, { hasRepository = false }: Lookup): boolean {
  const isTheirs = repositoryFile(place) !== undefined;
  return (hasRepository || !isTheirs) && locateDocument(place) !== null;
}

/** By its name, else by its number, else by its name elsewhere. */
function resolveTask(source: string, reference: string, lookup: Lookup): LinkTarget {
  const project = projectOf(source);
  const name = localReference(reference, project);
  const isOwn = (path: string) => projectOf(path) === project && isTaskPath(path);
  const found = byReference(lookup.tasks(project), name) ?? lookup.aliased(nameKey(name)).filter(isOwn);
  return targetOf(found) ?? missing([]);
}

/** Workspace-relative paths that a link may mean, the first one first; none outside the workspace. */
export function placesOf(source: string, { kind, path }: Pick<Link, "kind" | "path">): string[] {
  const project = projectOf(source);
  const isTheirs = repositoryFile(source) !== undefined;
  const tops = isTheirs ? [repositoryPath(project, "")] : [project, ""];
  let bases = [dirname(asFolder(source))];
  if (/^(?:\/|repo:)/i.test(path)) bases = tops;
  else if (isWiki(kind) && !path.startsWith(".")) bases.push(...tops);
  const places = bases.map((base) => asPath(joinPath(base, path).replace(/^\/+/, "")));
  const isIn = (place: string) => !isTheirs || repositoryFile(place) !== undefined;
  return [...new Set(places)].filter((place) => place !== ".." && !place.startsWith("../") && isIn(place));
}

/** One of several that differ only in case or composition is the target if it alone is exact; null without any. */
function targetOf(found: readonly string[], isExact?: (path: string) => boolean): LinkTarget | null {
  const exact = isExact === undefined ? [] : found.filter(isExact);
  const candidates = exact.length > 0 ? exact : found;
  const [path] = candidates;
  if (path === undefined) return null;
  return candidates.length === 1 ? { kind: "document", path } : { kind: "ambiguous", candidates };
}

function missing(candidates: readonly string[]): LinkTarget {
  return { kind: "missing", candidates };
}

function elsewhere(source: string, link: WrittenLink): LinkTarget {
  return { kind: "elsewhere", paths: placesOf(source, link) };
}
