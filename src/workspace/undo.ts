import { restoreVersion, type UndoStep, undo } from "../history/undo.ts";
import { locateDocument } from "../notes/document.ts";
import type { FileChange } from "../storage/change-file.ts";
import type { Workspace } from "./workspace.ts";

/** Undoes one operation; returns the id of the undoing. Throws CONFLICT if a file has changed since it was planned. */
export async function undoStep(workspace: Workspace, step: UndoStep): Promise<string | undefined> {
  const id = await undo(workspace.history, step);
  await indexChanged(workspace, step.changes);
  return id;
}

/** Gives a file the bytes of a version. Throws what restoreVersion throws. */
export async function restoreDocument(workspace: Workspace, request: Parameters<typeof restoreVersion>[1]) {
  const restored = await restoreVersion(workspace.history, request);
  const { path } = restored;
  const indexed = locateDocument(path) !== null && (await workspace.index.syncFile(path));
  return { ...restored, indexed };
}

/** More of them are faster in one sync. */
const MAX_INDEXED_ALONE = 10;

export async function indexChanged(workspace: Workspace, changes: readonly FileChange[]): Promise<void> {
  const paths = changes.filter(({ after }) => after !== null).map(({ path }) => path);
  const documents = paths.filter((path) => locateDocument(path) !== null);
  // If it fails, the next call finds out: this one has done its work.
  if (documents.length > MAX_INDEXED_ALONE) await workspace.index.query(() => {}).catch(() => {});
  else for (const path of documents) await workspace.index.syncFile(path);
}
