import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { isMarkdown, withMarkdownExtension, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { isTypo, nearest } from "../../lib/text.ts";
import type { DocumentLocation } from "../../notes/document.ts";
import { ARCHIVE, pathIn, STANDARD_FOLDERS, standardFolder } from "../../notes/names.ts";
import { listFolder } from "../../storage/list.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { foldersAlike, pathOnDisk } from "./entries.ts";

/** Says which part of a document's name is wrong, and what exists; `project` is as findProject gives it. */
export function documentNotFound(root: string, { project, folder, filename }: DocumentLocation): UserError {
  const inProject = listFolder(root, project);
  const [place] = folder === "" ? [project] : foldersAlike(root, project, folder);
  const isStandard = (STANDARD_FOLDERS as readonly string[]).includes(standardFolder(folder));
  if (place === undefined && !isStandard) {
    const known = new Set([...inProject.folders, ...STANDARD_FOLDERS]);
    const suggestions = nearest(folder, known).filter((one) => isTypo(folder, one));
    const folders = listNames(inProject.folders) || "none";
    const message = `Folder ${quoteName(folder)} does not exist in project ${quoteName(project)}. Its folders: ${folders}.`;
    return new UserError("INVALID_FOLDER", message, {
      details: { project, folder: escapeName(folder), suggestions },
    });
  }
  const files = place === undefined ? [] : listFolder(root, place).files;
  const path = folder === "" ? filename : `${folder}/${filename}`;
  const archived =
    standardFolder(folder) === ARCHIVE
      ? undefined
      : pathOnDisk(root, withMarkdownExtension(pathIn(project, `${ARCHIVE}/${path}`)));
  if (archived !== undefined) {
    const message = `${quoteName(path)} is in the archive now: its path is ${quoteName(archived)}.`;
    return new UserError("FILE_NOT_FOUND", message, {
      details: { project, path: escapeName(path), suggestions: [archived] },
    });
  }
  if (!isMarkdown(path) && gateOf(root).resolve(pathIn(project, path))?.stats.isFile()) {
    const message = `${quoteName(pathIn(project, path))} is not a Markdown document.`;
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
