import type { DocumentLocation } from "../domain/document.ts";
import { STANDARD_FOLDERS } from "../domain/names.ts";
import { type GatedFile, gateOf } from "../files/gate.ts";
import { listFolder } from "../files/list.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";

/** A document as a client names it. */
export type DocumentName = DocumentLocation;

/** A document that exists; `path` is relative to the workspace. */
export interface LocatedDocument extends GatedFile {
  project: string;
  path: string;
}

/** The project of that name: exactly, else the one that differs only in case. Throws PROJECT_NOT_FOUND. */
export function findProject(root: string, name: string): string {
  const names = listFolder(root, "").folders;
  const found = matchProject(names, name);
  if (found !== undefined) return found;
  const suggestions = nearest(name, names);
  const known =
    names.length === 0 ? "The workspace has no project yet." : `Known projects: ${listNames(names)}.`;
  throw new UserError("PROJECT_NOT_FOUND", `Project ${quoteName(name)} does not exist. ${known}`, {
    details: { project: escapeName(name), suggestions },
    ...(names.length === 0 && { next: "create-project" }),
  });
}

/** The one of `names` that is meant: exactly, else the one that differs only in case. */
export function matchProject(names: readonly string[], name: string): string | undefined {
  if (names.includes(name)) return name;
  const alike = names.filter((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** Finds a document that exists, `.md` added when it is missing. Throws the code that says which part is wrong. */
export function findDocument(root: string, name: DocumentName): LocatedDocument {
  const project = findProject(root, name.project);
  const folder = name.folder === "" ? project : `${project}/${name.folder}`;
  for (const filename of filenames(name.filename)) {
    for (const path of [`${folder}/${filename}`, ...twinOf(root, folder, filename)]) {
      const found = gateOf(root).resolve(path);
      if (found?.stats.isFile()) return { project, path, ...found };
    }
  }
  throw documentNotFound(root, { ...name, project });
}

function filenames(name: string): string[] {
  return /\.md$/i.test(name) ? [name] : [`${name}.md`];
}

/** The path of a file whose name is written with other Unicode composition on disk (as macOS and archives do). */
function* twinOf(root: string, folder: string, filename: string): Generator<string, void> {
  const same = (other: string) => other.normalize("NFC") === filename.normalize("NFC");
  const twin = listFolder(root, folder).files.find(same);
  if (twin !== undefined) yield `${folder}/${twin}`;
}

/** Says which part of a document's name is wrong, and what exists; `project` is as findProject gives it. */
export function documentNotFound(root: string, { project, folder, filename }: DocumentName): UserError {
  const inProject = listFolder(root, project);
  const isStandard = folder === "" || (STANDARD_FOLDERS as readonly string[]).includes(folder);
  if (!isStandard && gateOf(root).resolve(`${project}/${folder}`)?.stats.isDirectory() !== true) {
    const suggestions = nearest(folder, new Set([...inProject.folders, ...STANDARD_FOLDERS]));
    const folders = listNames(inProject.folders) || "none";
    const message = `Folder ${quoteName(folder)} does not exist in project ${quoteName(project)}. Its folders: ${folders}.`;
    return new UserError("INVALID_FOLDER", message, {
      details: { project, folder: escapeName(folder), suggestions },
    });
  }
  const files = folder === "" ? inProject.files : listFolder(root, `${project}/${folder}`).files;
  const path = folder === "" ? filename : `${folder}/${filename}`;
  const message = `File ${quoteName(path)} not found in project ${quoteName(project)}.`;
  return new UserError("FILE_NOT_FOUND", message, {
    details: { project, path: escapeName(path), suggestions: nearest(filename.replace(/\.md$/i, ""), files) },
    next: "list-documents",
  });
}
