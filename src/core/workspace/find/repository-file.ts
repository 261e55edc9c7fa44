import { UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { repositoryFile } from "../../notes/repository-path.ts";

/** Throws READ_ONLY for a file of a repository, where a name must mean something in the workspace. */
export function refuseRepositoryFile(name: string): void {
  const found = repositoryFile(name);
  if (found === undefined) return;
  const file = quoteName(found.file);
  const message = `${file} is in the project's repository, not among its notes: change it there, with your editor and git.`;
  throw new UserError("READ_ONLY", message, { details: { path: escapeName(found.file) } });
}
