import { type ErrorCode, UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { repositoryFile } from "../../notes/repository-path.ts";

/** Throws for a file of a repository, where a name must mean something in the workspace. */
export function refuseRepositoryFile(name: string, code: ErrorCode = "READ_ONLY"): void {
  const found = repositoryFile(name);
  if (found === undefined) return;
  const file = quoteName(found.file);
  const message = `${file} is in the project's repository, not among its notes: change it there, with your editor and git.`;
  throw new UserError(code, message, { details: { path: escapeName(found.file) } });
}
