import { indexedSuccessors } from "../index/succession.ts";
import { projectOf } from "../notes/names.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import { lastOf } from "../notes/standing/successors.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type Evidence, evidenceOf, type StaleDocument } from "../stale/evidence.ts";
import { ifIndexed } from "./links.ts";
import type { Workspace } from "./workspace.ts";

/** What in a document of the workspace, or of a project's repository, no longer holds, as far as it is known now: nothing waits for git. */
export async function outdatedOf(workspace: Workspace, document: StaleDocument): Promise<Evidence[]> {
  const successors = await ifIndexed(successorsOf(workspace, document.path), []);
  return evidenceOf(document, { code: undefined, successors });
}

async function successorsOf(workspace: Workspace, path: string): Promise<readonly string[]> {
  const theirs = repositoryFile(path) && workspace.documentsOf(projectOf(path));
  const read = (db: SqlDatabase) => lastOf(path, indexedSuccessors(db));
  return (await (theirs ?? workspace.index).query(read)) ?? [];
}
