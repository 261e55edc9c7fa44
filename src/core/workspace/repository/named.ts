import { UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { repositoryFile } from "../../notes/repository-path.ts";
import type { DocumentName } from "../find/document.ts";
import { ownPath } from "../find/own-path.ts";

/** What a name means in a project's repository; undefined for what is in the workspace. */
export function namedInRepository(root: string, { path, project, folder, filename }: DocumentName) {
  const named = path ? ownPath(root, path) : [folder, filename].filter(Boolean).join("/");
  const found = repositoryFile(named.replaceAll("\\", "/"));
  return found && { project: found.project ?? project, file: found.file };
}

export function noRepositoryFile(project: string, file: string): never {
  const message = `No document ${quoteName(file)} is known in the repository of ${quoteName(project)}.`;
  throw new UserError("FILE_NOT_FOUND", message, { details: { project, path: escapeName(file) } });
}
