import { locked } from "../history/interrupted.ts";
import { projectsOf } from "../history/operation.ts";
import { changesNow, planRestore, removeMade, type UndoStep } from "../history/undo.ts";
import { findVersion, movesOf } from "../history/versions.ts";
import { projectOf } from "../notes/names.ts";
import type { FileChange } from "../storage/change-file.ts";
import type { FileContent } from "../storage/read.ts";
import { change } from "./change/change.ts";
import type { Wanted } from "./change/rules.ts";
import { historyPath } from "./find/history-path.ts";
import type { Workspace } from "./workspace.ts";

/** What was there before may come back as it was, if no rule speaks against what it means now. */
const RESTORED = { exact: true, isRestored: true } as const;

/**
 * Undoes one operation, as an operation of its own; returns its id. Throws CONFLICT if a file has changed since it was planned,
 * unless the step keeps what came later and the two can be told apart.
 */
export async function undoStep(workspace: Workspace, step: UndoStep): Promise<string | undefined> {
  const { root, history } = workspace;
  const { operation } = step;
  const undone = await locked(history, projectsOf(operation), async (lockOf) => {
    const wanted = wantedOf(await changesNow(root, step));
    return (await change(workspace, { ...RESTORED, lockOf, undoes: operation.id }, wanted)).id;
  });
  await removeMade(root, operation);
  return undone;
}

/** What comes back leaves the place that it was moved to, or had gone. */
function wantedOf(changes: readonly FileChange[]): Wanted[] {
  const { made, removed } = movesOf(changes);
  const left = new Map(made.map((one, at) => [one, removed[at]]));
  return changes.map((one) => {
    if (one.before !== null || one.after === null) return one;
    const { path, before: content } = left.get(one) ?? { path: one.path, before: one.after };
    return { ...one, ...(content !== null && { from: { path, content } }) };
  });
}

interface Restored {
  path: string;
  /** Null if it did not exist. */
  before: FileContent | null;
  after: FileContent;
  indexed: boolean;
}

/** Gives a file the bytes that it had before a change. Throws what planRestore throws. */
export async function restoreDocument(
  workspace: Workspace,
  request: { path: string; change: string; expectedHash?: string | undefined },
): Promise<Restored> {
  const { root, history } = workspace;
  const version = await findVersion(root, { ...request, path: await historyPath(root, request) });
  const { path } = version.found;
  const { content: after } = version;
  return locked(history, [projectOf(path)], async (lockOf) => {
    const { before, last, mode } = await planRestore(root, version, request.expectedHash);
    const from = before === null && last !== null ? { from: { path, content: last } } : {};
    const { files } = await change(workspace, { ...RESTORED, lockOf }, [
      { path, before, after, mode, ...from },
    ]);
    return { path, before, after, indexed: files[0]?.indexed ?? false };
  });
}
