import { join } from "node:path";
import { checkProjectName, STANDARD_FOLDERS } from "../domain/names.ts";
import { renderStatus } from "../domain/project-file.ts";
import { fileError } from "../files/errors.ts";
import { makeFolders } from "../files/folders.ts";
import { resolveNew } from "../files/resolve-new.ts";
import { localDate } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import type { Workspace } from "./workspace.ts";
import { createDocument, type Saved } from "./write.ts";

/** Creates a project; `file` of the answer is its folder. Throws PROJECT_EXISTS, INVALID_PATH. */
export async function initProject(
  workspace: Workspace,
  name: string,
): Promise<Pick<Saved, "file" | "indexed">> {
  checkProjectName(name);
  const { taken } = resolveNew(workspace.root, name);
  if (taken !== undefined || !(await make(workspace.root, name))) throw exists(taken ?? name);
  const status = renderStatus(name, localDate(workspace.clock.now()));
  const { indexed } = await createDocument(
    workspace,
    { project: name, folder: "", filename: "status.md" },
    status,
  );
  return { file: join(workspace.root, name), indexed };
}

async function make(root: string, name: string): Promise<boolean> {
  try {
    return await makeFolders(root, name, STANDARD_FOLDERS);
  } catch (error) {
    throw fileError("create", name, error);
  }
}

function exists(name: string): UserError {
  const message = `Project '${name}' already exists. Use it as it is, or choose another name.`;
  return new UserError("PROJECT_EXISTS", message, { details: { project: name } });
}
