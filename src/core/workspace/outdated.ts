import { join } from "node:path";
import { indexedSuccessors } from "../index/succession.ts";
import { pathIn, projectOf } from "../notes/names.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import { lastOf } from "../notes/standing/successors.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type Evidence, evidenceOf, type StaleDocument } from "../stale/evidence.ts";
import type { KnownCode } from "../stale/lost.ts";
import { realPath } from "../storage/folders.ts";
import { inspectPath } from "../storage/inspect.ts";
import { partsBelow } from "../storage/path-gate.ts";
import { ifIndexed } from "./links.ts";
import type { Workspace } from "./workspace.ts";

/** What in a document of the workspace, or of a project's repository, no longer holds, as far as it is known now: nothing waits for git. */
export async function outdatedOf(workspace: Workspace, document: StaleDocument): Promise<Evidence[]> {
  const successors = await ifIndexed(successorsOf(workspace, document.path), []);
  return evidenceOf(document, { code: knownCode(workspace, document.path), successors });
}

async function successorsOf(workspace: Workspace, path: string): Promise<readonly string[]> {
  const theirs = repositoryFile(path) && workspace.documentsOf(projectOf(path));
  const read = (db: SqlDatabase) => lastOf(path, indexedSuccessors(db));
  return (await (theirs ?? workspace.index).query(read)) ?? [];
}

function knownCode(workspace: Workspace, path: string): KnownCode | undefined {
  const { root, code } = workspace;
  const project = projectOf(path);
  const folder = code && workspace.documentsOf(project)?.folder;
  const reader = folder === undefined ? undefined : code?.of(folder);
  const index = reader?.index();
  if (folder === undefined || reader === undefined || index === undefined) return undefined;
  const { top } = reader;
  const theirs = repositoryFile(path)?.file;
  const at = below(top, theirs === undefined ? join(realPath(root), path) : join(folder, theirs));
  const notes = join(root, pathIn(project, ""));
  const isThere = (place: string) => inspectPath(place).kind !== "missing";
  return {
    index,
    at,
    about: below(top, folder) ?? "",
    isOnDisk: (file) => isThere(join(top, file)) || (theirs === undefined && isThere(join(notes, file))),
    lines: () => (at === undefined ? undefined : reader.lines(at)),
  };
}

/** The path of a file in a repository, if it is there. */
function below(top: string, file: string): string | undefined {
  return partsBelow(top, file)?.join("/");
}
