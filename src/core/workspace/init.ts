import { join } from "node:path";
import { localDate } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { checkProjectName, STANDARD_FOLDERS } from "../notes/names.ts";
import { renderStatus } from "../notes/project/status-page.ts";
import { makeFolders, removeEmptyFolders } from "../storage/folders.ts";
import { fileError } from "../storage/fs-errors.ts";
import type { Lock } from "../storage/locks.ts";
import { createDocument, type SavedDocument } from "./change/documents.ts";
import type { Workspace } from "./workspace.ts";

/** Creates a project; `file` of the answer is its folder. Throws PROJECT_EXISTS, INVALID_PATH. */
export async function initProject(
  workspace: Workspace,
  name: string,
): Promise<Pick<SavedDocument, "file" | "indexed">> {
  checkProjectName(name);
  const file = join(workspace.root, name);
  if (file === workspace.indexPath) throw reserved(name);
  // The key of the lock folds case: names that some disks cannot tell apart are made one after the other.
  return workspace.locked(name, async (lock) => {
    const taken = await make(workspace.root, name);
    if (taken !== undefined) throw exists(taken);
    return { file, indexed: await addStatus(workspace, name, lock) };
  });
}

/** If that fails, the project goes: half made, it could not be made again. */
async function addStatus(workspace: Workspace, name: string, lock: Lock): Promise<boolean> {
  const status = renderStatus(name, localDate(workspace.clock.now()));
  try {
    const document = { project: name, folder: "", filename: "status.md" };
    const create = () => createDocument(workspace, document, status, lock);
    return (await workspace.history.acting({ made: name }, create)).indexed;
  } catch (error) {
    await removeEmptyFolders(workspace.root, name, STANDARD_FOLDERS);
    throw error;
  }
}

async function make(root: string, name: string): Promise<string | undefined> {
  try {
    return await makeFolders(root, name, STANDARD_FOLDERS);
  } catch (error) {
    throw error instanceof UserError ? error : fileError("create", name, error);
  }
}

function reserved(name: string): UserError {
  const message = `${quoteName(name)} is the name of the index file. Choose another name.`;
  return new UserError("INVALID_PATH", message, { details: { project: name } });
}

function exists(name: string): UserError {
  const message = `Project ${quoteName(name)} already exists. Use it, or choose another name.`;
  return new UserError("PROJECT_EXISTS", message, { details: { project: name } });
}
