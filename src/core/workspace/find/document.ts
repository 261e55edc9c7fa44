import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { type DocumentLocation, documentPath } from "../../notes/document.ts";
import { pathIn, projectOf, ROOT_PROJECT, standardFolder } from "../../notes/names.ts";
import { matchName, only, seenProjects } from "./entries.ts";
import { finderIn, isTaskNumber } from "./names.ts";
import { documentNotFound } from "./not-found.ts";
import { afterFirst, namesIn, ownPath, withoutHeading } from "./own-path.ts";
import { findProject } from "./project.ts";
import { refuseRepositoryFile } from "./repository-file.ts";
import { taskNotFound } from "./task.ts";

/** A document as clients name it: by its path, or by project and filename, with or without the folder. */
export interface DocumentName extends Partial<Record<keyof DocumentLocation, string | undefined>> {
  path?: string | undefined;
}

/** The path of a document by any name that leaves no doubt, as it is spelled on the disk. Throws an error with the argument that would work. */
export function findDocument(root: string, name: DocumentName): string {
  const named = namesOf(root, name);
  const found = findAt(root, named);
  if (found === undefined) throw notFound(root, named);
  checkAgreement(root, found, name);
  return found;
}

/** The same; undefined if there is no such document. */
export function findIfThere(root: string, name: DocumentName): string | undefined {
  return findAt(root, namesOf(root, name));
}

const NO_FOLDER = "'folder' is missing. It may be '' for a file at the top of the project.";

/** Where a new document goes, by its path or its parts. */
export function newLocation(root: string, name: DocumentName): DocumentLocation {
  const location = locationOf(root, name);
  refuseRepositoryFile(documentPath(location));
  return location;
}

function locationOf(root: string, name: DocumentName): DocumentLocation {
  const { path, folder, filename = "" } = name;
  if (!path && folder === undefined && !filename.includes("/") && filename !== "")
    throw new UserError("INVALID_ARGUMENT", NO_FOLDER, { details: { argument: "folder" } });
  const { project, names } = namesOf(root, name);
  if (path || folder === undefined) return splitPath(pathIn(project, names[0]));
  if (folder === "") return { project, folder, filename };
  // The filename may repeat the folder.
  return splitPath(`${project}/${names[1] ?? `${folder.replace(/\/$/, "")}/${filename}`}`);
}

/** What a name may mean. */
interface Named {
  project: string;
  /** Below the project, most likely first. */
  names: [string, ...string[]];
  /** Whether a name may stand without its folder. */
  isShort: boolean;
  /** The project that the path begins with. */
  first?: string | undefined;
}

function namesOf(root: string, { path, project: given, folder, filename }: DocumentName): Named {
  if (path) return namesOfPath(root, path, given);
  if (given === undefined || filename === undefined) throw unnamed(given === undefined ? "path" : "filename");
  const project = findProject(root, given);
  const names = namesIn(root, project, filename);
  if (!folder) return { project, names, isShort: folder === undefined };
  const start = folder.replace(/\/?$/, "/");
  const repeated = names.filter((name) => pathKey(name).startsWith(pathKey(start)));
  const [name, ...others] = names.map((one) => start + one);
  return { project, names: [name ?? start, ...others, ...repeated], isShort: false };
}

/** The path starts with its project, or is relative to `given`. */
function namesOfPath(root: string, path: string, given: string | undefined): Named {
  const own = ownPath(root, path, () => given);
  const projects = seenProjects(root);
  const start = projectOf(own);
  const inRoot = projects.includes(ROOT_PROJECT) && !own.includes("/") ? ROOT_PROJECT : undefined;
  const first = matchName(projects, start) ?? inRoot;
  const hint = " A path begins with its project, unless 'project' names it.";
  const project = given
    ? findProject(root, given)
    : (first ?? findProject(root, start === ROOT_PROJECT ? own : start, hint));
  const names: Named["names"] = given
    ? namesIn(root, project, own)
    : [project === ROOT_PROJECT ? own : afterFirst(own)];
  if (!/(?:^|\/)$/.test(names[0])) return { project, names, isShort: true, first };
  const details = { argument: "path", project };
  throw new UserError("INVALID_ARGUMENT", "'path' must end with a document.", {
    details,
    next: "list-documents",
  });
}

function findAt(root: string, { project, names, isShort }: Named): string | undefined {
  const find = finderIn(root, project);
  const findOne = (all: readonly string[]) =>
    only(
      all.flatMap((name) => find(name, { isShort }) ?? []),
      names[0],
    );
  const findAs = (form: (name: string) => string) =>
    form(names[0]) === names[0] ? undefined : findOne(names.map(form));
  const asPath = (name: string) => name.replaceAll("\\", "/");
  return findOne(names) ?? findAs(withoutHeading) ?? findAs((name) => asPath(withoutHeading(name)));
}

function splitPath(path: string): DocumentLocation {
  const project = projectOf(path);
  if (project === ROOT_PROJECT) return { project, folder: "", filename: path };
  const [first = "", ...rest] = path.split("/").slice(1);
  return rest.length === 0
    ? { project, folder: "", filename: first }
    : { project, folder: first, filename: rest.join("/") };
}

/** Clients that fill in all arguments may name the document twice. */
function checkAgreement(root: string, found: string, { path, folder, filename }: DocumentName): void {
  if (!path || (!folder && !filename)) return;
  const own = splitPath(found);
  const named = { ...own, folder: folder || undefined, filename: filename || own.filename };
  if (findIfThere(root, named) === found) return;
  const message = `'path' names ${quoteName(found)}, 'folder' and 'filename' another document. Give 'path' alone.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "path" } });
}

function notFound(root: string, { project, names: [name], first }: Named): UserError {
  const place = splitPath(pathIn(project, name));
  const isTask = isTaskNumber(name) && ["", "tasks"].includes(standardFolder(place.folder));
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
