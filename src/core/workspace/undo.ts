import { locked } from "../history/interrupted.ts";
import { projectsOf } from "../history/operation.ts";
import type { Operation } from "../history/record.ts";
import { changesNow, planRestore, removeMade, type UndoStep } from "../history/undo.ts";
import { findOperations, findVersion, movesOf } from "../history/versions.ts";
import { projectOf } from "../notes/names.ts";
import type { FileChange } from "../storage/change-file.ts";
import type { FileContent } from "../storage/read.ts";
import { change } from "./change/change.ts";
import type { DocumentChange } from "./change/rules.ts";
import { historyPath } from "./find/history-path.ts";
import type { Workspace } from "./workspace.ts";

/** What was there before may come back as it was, if no rule speaks against what it means now. */
const RESTORED = { exact: true, isRestored: true } as const;

/**
 * Undoes one operation, as an operation of its own; returns its id. Throws CONFLICT if it cannot be told from what changed in its
 * files since.
 */
export async function undoStep(workspace: Workspace, { operation }: UndoStep): Promise<string | undefined> {
  const { root, history } = workspace;
  const undone = await locked(history, projectsOf(operation), async (lockOf) => {
    const wanted = wantedOf(await changesNow(root, operation));
    const agent = ownName(workspace, operation);
    return (await change(workspace, { ...RESTORED, agent, lockOf, undoes: operation.id }, wanted)).id;
  });
  await removeMade(root, operation);
  return undone;
}

/** The name under which this process made a change for the same client: to take it back, it is that agent again. */
function ownName({ history }: Workspace, { agent, client, pid }: Operation): string | undefined {
  return pid === process.pid && client === history.actor().client ? agent : undefined;
}

/** What comes back leaves the place that it was moved to, or had gone. */
function wantedOf(changes: readonly FileChange[]): DocumentChange[] {
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
  request: Parameters<typeof historyPath>[1] & { change: string; expectedHash?: string | undefined },
): Promise<Restored> {
  const { root, history } = workspace;
  const version = await findVersion(history, { ...request, path: await historyPath(root, request) });
  const { path } = version.found;
  const { content: after } = version;
  const [operation] = await findOperations(root, [request.change]);
  return locked(history, [projectOf(path)], async (lockOf) => {
    const { before, last, mode } = await planRestore(root, version, request.expectedHash);
    const from = before === null && last !== null ? { from: { path, content: last } } : {};
    const agent = operation && ownName(workspace, operation);
    const { files } = await change(workspace, { ...RESTORED, agent, lockOf }, [
      { path, before, after, mode, ...from },
    ]);
    return { path, before, after, indexed: files[0]?.indexed ?? false };
  });
}
