import { restoreVersion, type UndoStep, undo } from "../history/undo.ts";
import { locateDocument } from "../notes/document.ts";
import { indexChanged } from "./change/change.ts";
import { historyPath } from "./find/history-path.ts";
import type { Workspace } from "./workspace.ts";

/** Undoes one operation; returns the id of the undoing. Throws CONFLICT if a file has changed since it was planned. */
export async function undoStep(workspace: Workspace, step: UndoStep): Promise<string | undefined> {
  const id = await undo(workspace.history, step);
  await indexChanged(workspace, step.changes);
  return id;
}

/** Gives a file the bytes of a version. Throws what restoreVersion throws. */
export async function restoreDocument(workspace: Workspace, request: Parameters<typeof restoreVersion>[1]) {
  const named = await historyPath(workspace.root, request);
  const restored = await restoreVersion(workspace.history, { ...request, path: named });
  const { path } = restored;
  const indexed = locateDocument(path) !== null && (await workspace.index.syncFile(path));
  return { ...restored, indexed };
}
