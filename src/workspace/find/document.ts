import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { pathKey, withMarkdownExtension } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import type { DocumentLocation } from "../../notes/document.ts";
import { parseTaskNumber, standardFolder } from "../../notes/names.ts";
import { listFolder, projectNames } from "../../storage/list.ts";
import { matchName, only, pathOnDisk } from "./entries.ts";
import { findFolder } from "./folder.ts";
import { documentNotFound } from "./not-found.ts";
import { afterFirst, firstPart, ownPath, pathInProject } from "./own-path.ts";
import { findProject } from "./project.ts";
import { isTaskNumber, taskNotFound, tasksOf } from "./task.ts";

/** A document as clients name it: by its path, or by project and filename, with or without the folder. */
export interface DocumentName extends Partial<Record<keyof DocumentLocation, string | undefined>> {
  path?: string | undefined;
}

/** The path of a document by any name that leaves no doubt, as it is spelled on the disk. Throws an error with the argument that would work. */
export function findDocument(root: string, name: DocumentName): string {
  const places = placesOf(root, name);
  const found = findAt(root, places);
  if (found === undefined) throw notFound(root, places);
  checkAgreement(found, name);
  return found;
}

/** The same; undefined if there is no such document. */
export function findIfThere(root: string, name: DocumentName): string | undefined {
  return findAt(root, placesOf(root, name));
}

/** Where a new document goes, by its path or its parts. */
export function newLocation(root: string, name: DocumentName): DocumentLocation {
  const { path, folder, filename = "" } = name;
  if (!path && folder === undefined && !filename.includes("/") && filename !== "") throw unnamed("folder");
  const { project, place, names } = placesOf(root, name);
  // The filename may repeat the folder.
  const inName = path || !folder ? undefined : names[1];
  const { folder: first, filename: rest } = inName === undefined ? place : splitPath(project, inName);
  return { project, folder: first === "" ? "" : findFolder(root, project, first), filename: rest };
}

/** What a name may mean. */
interface Places {
  project: string;
  /** As named. */
  place: DocumentLocation;
  /** Below the project, most likely first. */
  names: [string, ...string[]];
  /** Whether a name without a folder may be that of a task, or of a document in any folder. */
  isAnywhere: boolean;
  /** The project that the path begins with. */
  first?: string | undefined;
}

function placesOf(root: string, { path, project: named, folder, filename }: DocumentName): Places {
  if (path) return placesOfPath(root, path, named);
  if (named === undefined || filename === undefined) throw unnamed(named === undefined ? "path" : "filename");
  const project = findProject(root, named);
  const own = ownPath(root, filename);
  const names = namesIn(project, own);
  if (folder === undefined) return { project, place: splitPath(project, names[0]), names, isAnywhere: true };
  const inside = folder.replace(/\/$/, "");
  const place = { project, folder: inside, filename };
  if (inside === "") return { project, place, names, isAnywhere: false };
  const repeated = names.filter((name) => pathKey(name).startsWith(`${pathKey(inside)}/`));
  return { project, place, names: [`${inside}/${own}`, ...repeated], isAnywhere: false };
}

/** The path starts with its project, or is relative to `project`. */
function placesOfPath(root: string, given: string, named: string | undefined): Places {
  const path = ownPath(root, given);
  const first = matchName(projectNames(root), firstPart(path));
  const project = named ? findProject(root, named) : (first ?? noProject(root, path));
  const names: Places["names"] = named ? namesIn(project, path) : [afterFirst(path)];
  if (/(?:^|\/)$/.test(names[0])) throw notADocument(project);
  return { project, place: splitPath(project, names[0]), names, isAnywhere: true, first };
}

/** The names below a project that a path with or without it may mean. */
function namesIn(project: string, path: string): Places["names"] {
  const inner = pathInProject(project, path);
  return inner === path ? [path] : [inner, path];
}

/** What follows `#` may be a heading, unless a file is called so. */
function findAt(root: string, places: Places): string | undefined {
  const found = findExactly(root, places);
  if (found !== undefined || !places.names[0].includes("#", 1)) return found;
  const [first, ...others] = places.names.map((name) => name.replace(/(?<=.)#.*$/s, ""));
  return findExactly(root, { ...places, names: [first ?? "", ...others] });
}

function findExactly(root: string, { project, names, isAnywhere }: Places): string | undefined {
  const tasks = tasksOf(root, project);
  const find = (name: string) =>
    (isTaskNumber(name) && (isAnywhere || name.includes("/")) ? tasks(name) : undefined) ??
    pathOnDisk(root, `${project}/${withMarkdownExtension(name)}`) ??
    (isAnywhere || name.includes("/") ? tasks(name) : undefined);
  const found = only(names.flatMap((name) => find(name) ?? []));
  if (found !== undefined || !isAnywhere) return found;
  const bare = names.filter((name) => !name.includes("/"));
  const inFolder = (folder: string, name: string) =>
    pathOnDisk(root, `${project}/${folder}/${withMarkdownExtension(name)}`) ?? [];
  const { folders } = bare.length === 0 ? { folders: [] } : listFolder(root, project);
  return only(folders.flatMap((folder) => bare.flatMap((name) => inFolder(folder, name))));
}

function splitPath(project: string, path: string): DocumentLocation {
  const hasFolder = path.indexOf("/") > 0;
  return hasFolder
    ? { project, folder: firstPart(path), filename: afterFirst(path) }
    : { project, folder: "", filename: path };
}

/** Clients that fill in all arguments may name the document twice. */
function checkAgreement(found: string, { path, folder, filename }: DocumentName): void {
  if (!path) return;
  const { folder: itsFolder, filename: itsName } = splitPath("", afterFirst(found));
  const sameFolder = !folder || pathKey(folder.replace(/\/$/, "")) === pathKey(itsFolder);
  const isNumber =
    filename !== undefined && Number(filename.replace(/^#/, "")) === Number(parseTaskNumber(itsName));
  const sameName = !filename || isNumber || pathKey(withMarkdownExtension(filename)) === pathKey(itsName);
  if (sameFolder && sameName) return;
  const message = `'path' names ${quoteName(found)}, 'folder' and 'filename' another document. Give 'path' alone.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "path" } });
}

function notFound(root: string, { project, place, names, first }: Places): UserError {
  const isTask = isTaskNumber(names[0]) && ["", "tasks"].includes(standardFolder(place.folder));
  if (isTask) return taskNotFound(root, project, place.filename);
  if (first === undefined || first === project) return documentNotFound(root, place);
  const message = `'path' begins with the project ${quoteName(first)}, but 'project' is ${quoteName(project)}. Give 'path' alone.`;
  return new UserError("INVALID_ARGUMENT", message, { details: { argument: "project" } });
}

function unnamed(argument: string): UserError {
  const message =
    "Which document? Give its 'path', as search and the lists show it (payments-api/tasks/003-add-login.md), or 'project' and 'filename'.";
  return new UserError("INVALID_ARGUMENT", message, { details: { argument } });
}

function noProject(root: string, path: string): never {
  const names = projectNames(root);
  const first = firstPart(path);
  if (names.length === 0) findProject(root, first);
  const message = `No project is called ${quoteName(first)}, the first part of 'path'. Known projects: ${listNames(names)}. Put one of them first, or name it in 'project'.`;
  throw new UserError("PROJECT_NOT_FOUND", message, {
    details: { project: escapeName(first), suggestions: nearest(first, names) },
  });
}

function notADocument(project: string): UserError {
  const details = { argument: "path", project };
  return new UserError("INVALID_ARGUMENT", "'path' must end with a document.", {
    details,
    next: "list-documents",
  });
}
