import { listFolders } from "../index/catalog.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { isMarkdown, withMarkdownExtension, withoutMarkdownExtension } from "../lib/file-names.ts";
import { nearest } from "../lib/text.ts";
import type { DocumentLocation } from "../notes/document.ts";
import { ARCHIVE, STANDARD_FOLDERS } from "../notes/names.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { listFolder, projectNames } from "../storage/list.ts";
import { gateOf } from "../storage/path-gate.ts";

/** The project of that name: exactly, else the one that differs only in case. Throws PROJECT_NOT_FOUND. */
export function findProject(root: string, name: string): string {
  const names = projectNames(root);
  const match = matchProject(names, name);
  if (match !== undefined) return match;
  const isEmpty = names.length === 0;
  const known = isEmpty ? "The workspace has no project yet." : `Known projects: ${listNames(names)}.`;
  throw new UserError("PROJECT_NOT_FOUND", `Project ${quoteName(name)} does not exist. ${known}`, {
    details: { project: escapeName(name), suggestions: nearest(name, names) },
    next: isEmpty ? "create-project" : "choose-project",
  });
}

/** The exact one of `names`, else the one that differs only in case. */
export function matchProject(names: readonly string[], name: string): string | undefined {
  if (names.includes(name)) return name;
  const alike = names.filter((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** A folder of a project by its name, which may end with `/`: the exact one, else the one that differs only in case, else as given. */
export function folderName(root: string, project: string | undefined, given: string): string {
  const existing = project === undefined ? [] : listFolder(root, project).folders;
  const names = [...new Set([...existing, ...STANDARD_FOLDERS, ARCHIVE])];
  const name = given.endsWith("/") ? given.slice(0, -1) : given;
  return matchProject(names, name) ?? name;
}

/** The path of a document, by the names that it may have; undefined if there is none. */
export function existingPath(root: string, location: DocumentLocation): string | undefined {
  const gate = gateOf(root);
  return [...pathsOf(root, location)].find((path) => gate.resolve(path)?.stats.isFile());
}

/** The possible paths of a document: as given, in another Unicode composition (by macOS, in archives), or with its folder in another case. */
export function* pathsOf(
  root: string,
  { project, folder, filename }: DocumentLocation,
): Generator<string, void> {
  const place = folder === "" ? project : `${project}/${folder}`;
  const name = withMarkdownExtension(filename);
  yield `${place}/${name}`;
  const twin = ASCII.test(name) ? undefined : composedAlike(listFolder(root, place).files, name);
  if (twin !== undefined) yield `${place}/${twin}`;
  const alike = folderName(root, project, folder);
  if (folder !== "" && alike !== folder) yield* pathsOf(root, { project, folder: alike, filename });
}

/** Has one composition only. */
const ASCII = /^[\0-\x7f]*$/;

function composedAlike(files: readonly string[], name: string): string | undefined {
  const wanted = name.normalize("NFC");
  return files.find((file) => file.normalize("NFC") === wanted);
}

/** Says which part of a document's name is wrong, and what exists; `project` is as findProject gives it. */
export function documentNotFound(root: string, { project, folder, filename }: DocumentLocation): UserError {
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
  const archived = withMarkdownExtension(`${project}/${ARCHIVE}/${path}`);
  if (folder !== ARCHIVE && gateOf(root).resolve(archived) !== undefined) {
    const message = `${quoteName(path)} is in the archive now: its path is ${quoteName(archived)}.`;
    return new UserError("FILE_NOT_FOUND", message, {
      details: { project, path: escapeName(path), suggestions: [archived] },
    });
  }
  if (!isMarkdown(path) && gateOf(root).resolve(`${project}/${path}`)?.stats.isFile()) {
    const message = `${quoteName(`${project}/${path}`)} is not a Markdown document.`;
    const details = { project, path: escapeName(path) };
    return new UserError("FILE_NOT_FOUND", message, { details, next: "read-file" });
  }
  const message = `File ${quoteName(path)} not found in project ${quoteName(project)}.`;
  return new UserError("FILE_NOT_FOUND", message, {
    details: {
      project,
      path: escapeName(path),
      suggestions: nearest(withoutMarkdownExtension(filename), files),
    },
    next: "list-documents",
  });
}

/** Throws INVALID_FOLDER unless the folder is a standard one, `""`, the archive, or one that holds documents. */
export function checkFolder(db: SqlDatabase, folder: string, project: string | undefined): void {
  const standard: readonly string[] = STANDARD_FOLDERS;
  if (folder === "" || folder === ARCHIVE || standard.includes(folder)) return;
  const existing = listFolders(db, project);
  if (existing.includes(folder)) return;
  const folders = [...new Set([...standard, ...existing])].filter((name) => name !== "");
  const message = `There is no folder ${quoteName(folder)}${project === undefined ? "" : ` in ${quoteName(project)}`}. Folders: ${listNames(folders, 30)}.`;
  throw new UserError("INVALID_FOLDER", message, {
    details: { folder: escapeName(folder), suggestions: nearest(folder, folders) },
  });
}
