import { isAbsolute, relative, sep } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { withMarkdownExtension, withoutMarkdownExtension } from "../lib/file-names.ts";
import { nearest } from "../lib/text.ts";
import { type DocumentLocation, documentPath } from "../notes/document.ts";
import { addressOf } from "../notes/link/address.ts";
import { listFolder, projectNames } from "../storage/list.ts";
import { gateOf } from "../storage/path-gate.ts";
import { documentNotFound, findProject, folderName, matchProject } from "./locate.ts";
import { type Document, readIfThere } from "./read.ts";
import { findTask } from "./tasks.ts";

/** A document as clients name it: by its path, or by project and filename, with or without the folder. */
export interface DocumentName extends Partial<Record<keyof DocumentLocation, string | undefined>> {
  path?: string | undefined;
}

/** Reads a document by any name that leaves no doubt. Throws an error with the argument that would work. */
export function readNamed(root: string, { path, ...name }: DocumentName): Document {
  return path ? readByPath(root, path, name) : readByName(root, name);
}

/** The path starts with its project, or is relative to `project`. */
function readByPath(root: string, given: string, name: DocumentName): Document {
  const { places, first, project } = placesOfPath(root, given, name.project);
  const document = readOne(root, places);
  if (document === undefined && first !== undefined && first !== project) throw otherProject(first, project);
  if (document === undefined) throw documentNotFound(root, places[0]);
  checkAgreement(document, name);
  return document;
}

/** Where a new document goes, by its path or its parts. */
export function newLocation(
  root: string,
  { path, project: named, folder, filename }: DocumentName,
): DocumentLocation {
  if (path) return placesOfPath(root, path, named).places[0];
  if (named === undefined || filename === undefined) throw unnamed(named === undefined ? "path" : "filename");
  const project = findProject(root, named);
  if (folder === undefined && !filename.includes("/")) throw unnamed("folder");
  if (folder === undefined) return placesIn(project, filename)[0];
  const place = { project, folder: folderName(root, project, folder), filename };
  return folder === "" ? place : (placesBelow(place).at(-1) ?? place);
}

function placesOfPath(root: string, given: string, named: string | undefined) {
  const path = ownPath(root, given);
  const first = matchProject(projectNames(root), firstPart(path));
  const project = named ? findProject(root, named) : (first ?? noProject(root, path));
  const places: Places = named ? placesIn(project, path) : [splitPath(project, afterFirst(path))];
  if (places[0].filename === "") throw notADocument(project);
  return { places, first, project };
}

/** A path as this server and links give it, relative to the root: absolute, as a `vibe://` address, with the heading of a link. */
function ownPath(root: string, given: string): string {
  const path = /^vibe:\/\//i.test(given) ? pathOfAddress(given) : (belowRoot(root, given) ?? given);
  return path.replace(/^(?:\.?\/)+/, "").replace(/(\.md)#.*$/is, "$1");
}

function pathOfAddress(uri: string): string {
  const address = addressOf(uri);
  if (address.kind === "document") return documentPath(address);
  return address.kind === "project" ? address.project : "";
}

function belowRoot(root: string, given: string): string | undefined {
  if (!isAbsolute(given)) return undefined;
  const roots = [root, gateOf(root).root()];
  const below = roots
    .map((one) => relative(one, given))
    .find((path) => path !== "" && !/^\.\.(?:[\\/]|$)/.test(path));
  return below === undefined || isAbsolute(below) ? undefined : below.replaceAll(sep, "/");
}

function readByName(root: string, { project: named, folder, filename }: DocumentName): Document {
  if (named === undefined || filename === undefined) throw unnamed(named === undefined ? "path" : "filename");
  const project = findProject(root, named);
  const places =
    folder === undefined ? placesIn(project, filename) : placesBelow({ project, folder, filename });
  for (const place of places) {
    const document = readAt(root, place);
    if (document !== undefined) return document;
  }
  const folders = folder !== undefined || filename.includes("/") ? [] : listFolder(root, project).folders;
  const elsewhere = folders.map((each) => ({ project, folder: each, filename }));
  const document = readOne(root, elsewhere);
  if (document === undefined) throw documentNotFound(root, places[0]);
  return document;
}

type Places = [DocumentLocation, ...DocumentLocation[]];

/** The places that a path with or without its project may mean, most likely first. */
function placesIn(project: string, path: string): Places {
  const hasProject = path.includes("/") && firstPart(path).toLowerCase() === project.toLowerCase();
  const whole = splitPath(project, path);
  return hasProject ? [splitPath(project, afterFirst(path)), whole] : [whole];
}

/** The place itself, then those that a filename with the folder in it means. */
function placesBelow(place: DocumentLocation): Places {
  const { project, folder, filename } = place;
  return [place, ...placesIn(project, filename).filter((other) => folder === "" || other.folder === folder)];
}

function splitPath(project: string, path: string): DocumentLocation {
  const hasFolder = path.indexOf("/") > 0;
  return hasFolder
    ? { project, folder: firstPart(path), filename: afterFirst(path) }
    : { project, folder: "", filename: path };
}

function firstPart(path: string): string {
  return path.split("/", 1)[0] ?? "";
}

function afterFirst(path: string): string {
  return path.slice(firstPart(path).length + 1);
}

/** The only document at one of these places; undefined if there is none. Throws if there are several. */
function readOne(root: string, places: readonly DocumentLocation[]): Document | undefined {
  const documents = places.flatMap((place) => readAt(root, place) ?? []);
  const paths = [...new Set(documents.map(({ path }) => path))];
  if (paths.length < 2) return documents[0];
  const message = `Several documents go by this name: ${listNames(paths)}. Pass one of these as 'path', and leave 'project' out.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "path", suggestions: paths } });
}

/** A task may be named by its number. */
function readAt(root: string, place: DocumentLocation): Document | undefined {
  const { project, folder, filename } = place;
  const isNumber = folder === "tasks" && /^#?\d{1,9}(?:\.md)?$/i.test(filename);
  if (!isNumber) return readIfThere(root, place);
  const number = withoutMarkdownExtension(filename);
  return readIfThere(root, findTask(root, project, number));
}

/** Clients that fill in all arguments may name the document twice. */
function checkAgreement(document: Document, { folder, filename }: DocumentName): void {
  const sameFolder = !folder || folder.toLowerCase() === document.folder.toLowerCase();
  const sameName = !filename || withMarkdownExtension(filename) === document.filename;
  if (sameFolder && sameName) return;
  const message = `'path' names ${quoteName(document.path)}, 'folder' and 'filename' another document. Give 'path' alone.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "path" } });
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

function otherProject(first: string, project: string): UserError {
  const message = `'path' begins with the project ${quoteName(first)}, but 'project' is ${quoteName(project)}. Give 'path' alone.`;
  return new UserError("INVALID_ARGUMENT", message, { details: { argument: "project" } });
}
