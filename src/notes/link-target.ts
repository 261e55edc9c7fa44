import { dirname, join } from "node:path/posix";
import { groupBy } from "../lib/collections.ts";
import { localReference, taskKeys } from "./dependencies.ts";
import { locateDocument } from "./document.ts";
import { type Link, nameKey, pathKey } from "./links.ts";
import { baseName, TASK_FOLDERS, withMarkdownExtension, withoutMarkdownExtension } from "./names.ts";

/** The documents that exist. */
export interface Lookup {
  /** The paths of all documents whose `nameKey` this is. */
  named(name: string): readonly string[];
  /** The paths of a project's tasks, archived ones included. */
  tasks(project: string): readonly string[];
}

export function lookupOf(paths: readonly string[]): Lookup {
  const byName = groupBy(paths, nameKey);
  return {
    named: (name) => byName.get(name) ?? [],
    tasks: (project) =>
      paths.filter((path) => TASK_FOLDERS.some((folder) => path.startsWith(`${project}/${folder}/`))),
  };
}

/** `elsewhere` is what no document can be: another file, or a place outside the projects. */
export type LinkTarget =
  | { kind: "document"; path: string }
  | { kind: "ambiguous" | "missing"; candidates: readonly string[] }
  | { kind: "elsewhere"; paths: readonly string[] };

/** `![[image.png]]` is no document; `[[version 1.2]]` may be one. */
const EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i;

type Source = Pick<Link, "kind" | "path" | "task">;

/** Where a link in the document `source` leads. A missing document's candidates are those of its name elsewhere. */
export function resolveLink(source: string, link: Source, lookup: Lookup): LinkTarget {
  const { kind, path, task } = link;
  if (path === "") return { kind: "document", path: source };
  if (kind === "dependency") return resolveTask(source, path, lookup);
  const isNote = /\.md$/i.test(path);
  if (!isNote && !isWiki(kind)) return elsewhere(source, link);
  const target = isBareName(link) ? resolveName(source, path, lookup) : resolvePath(source, link, lookup);
  if (target.kind !== "missing") return target;
  const named = task === undefined ? target : resolveTask(source, task, lookup);
  if (named.kind !== "missing") return named;
  return !isNote && EXTENSION.test(path) ? elsewhere(source, link) : target;
}

/** `[[name]]`, as opposed to `[[folder/name]]` and `[text](name.md)`. */
function isBareName({ kind, path }: Source): boolean {
  return isWiki(kind) && !path.includes("/");
}

export function isWiki(kind: Link["kind"]): boolean {
  return kind === "wiki" || kind === "embed";
}

/** In the project, else in the whole workspace. */
function resolveName(source: string, name: string, lookup: Lookup): LinkTarget {
  const all = lookup.named(nameKey(name));
  const project = `${projectOf(source)}/`;
  const inProject = all.filter((path) => path.startsWith(project));
  const wanted = withoutMarkdownExtension(name);
  const isExact = (path: string) => withoutMarkdownExtension(baseName(path)) === wanted;
  return targetOf(inProject.length > 0 ? inProject : all, isExact) ?? missing([]);
}

function resolvePath(source: string, link: Source, lookup: Lookup): LinkTarget {
  const alike = lookup.named(nameKey(link.path));
  const places = placesOf(source, link).map(withMarkdownExtension);
  for (const place of places) {
    if (alike.includes(place)) return { kind: "document", path: place };
    const key = pathKey(place);
    const target = targetOf(alike.filter((path) => pathKey(path) === key));
    if (target !== null) return target;
  }
  return places.some((place) => locateDocument(place) !== null) ? missing(alike) : elsewhere(source, link);
}

/** By its name, else by its number. */
function resolveTask(source: string, reference: string, lookup: Lookup): LinkTarget {
  const project = projectOf(source);
  const tasks = lookup.tasks(project);
  for (const key of taskKeys(localReference(reference, project))) {
    const target = targetOf(tasks.filter((path) => taskKeys(path).includes(key)));
    if (target !== null) return target;
  }
  return missing([]);
}

/** Workspace-relative paths that a link may mean, the first one first; none outside the workspace. */
function placesOf(source: string, { kind, path }: Source): string[] {
  const project = projectOf(source);
  let bases = [dirname(source)];
  if (path.startsWith("/")) bases = [project, ""];
  else if (isWiki(kind) && !path.startsWith(".")) bases.push(project, "");
  const places = bases.map((base) => join(base, path).replace(/^\/+/, ""));
  return [...new Set(places)].filter((place) => place !== ".." && !place.startsWith("../"));
}

export function projectOf(path: string): string {
  return path.slice(0, path.indexOf("/"));
}

/** One of several that differ only in case or composition is the target if it alone is exact; null without any. */
function targetOf(found: readonly string[], isExact = (_: string) => false): LinkTarget | null {
  const exact = found.filter(isExact);
  const [path, ...others] = exact.length > 0 ? exact : found;
  if (path === undefined) return null;
  return others.length === 0
    ? { kind: "document", path }
    : { kind: "ambiguous", candidates: [path, ...others] };
}

function missing(candidates: readonly string[]): LinkTarget {
  return { kind: "missing", candidates };
}

function elsewhere(source: string, link: Source): LinkTarget {
  return { kind: "elsewhere", paths: placesOf(source, link) };
}
