import { locked } from "../history/interrupted.ts";
import { UserError } from "../lib/errors.ts";
import { projectOf } from "../notes/names.ts";
import { allow, change } from "./change/change.ts";
import type { DocumentMove } from "./move-check.ts";
import { findScope, type MoveOptions, type MoveResult, planMove } from "./move-plan.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Moves documents and rewrites the links that would break: all of it or nothing. Paths are as documents have them. Throws what
 * creating a document throws, FILE_NOT_FOUND and CONFLICT.
 */
export async function moveDocuments(
  workspace: Workspace,
  moves: readonly DocumentMove[],
  options: MoveOptions = {},
): Promise<MoveResult> {
  let scope = await findScope(workspace, moves, options);
  if (options.dryRun) {
    const { result, changes } = await planMove(workspace.root, scope, options);
    return { ...result, notes: allow(workspace, options, changes).notes };
  }
  for (;;) {
    const projects = new Set(scope.paths.map(projectOf));
    const made = await locked(workspace.history, [...projects], async (lockOf) => {
      await options.check?.();
      scope = await findScope(workspace, moves, options);
      // A link in a further project was written meanwhile.
      if (!scope.paths.every((path) => projects.has(projectOf(path)))) return undefined;
      const { result, changes } = await planMove(workspace.root, scope, options);
      const { id, notes } = await change(workspace, { agent: options.agent, lockOf }, changes);
      return { ...result, change: id, notes };
    });
    if (made !== undefined) return made;
  }
}

interface Planned {
  /** Gives the same moves while the documents are the same. */
  plan: () => Promise<DocumentMove[]>;
  dryRun: boolean;
}

/** Moves what a plan says, which is decided under the project's lock. Throws CONFLICT if it changed at that moment. */
export async function movePlanned(
  workspace: Workspace,
  project: string,
  { plan, dryRun }: Planned,
): Promise<MoveResult> {
  let moves = await plan();
  for (;;) {
    if (moves.length === 0) return { moved: [], edits: [], left: [], changed: [], notes: [] };
    const planned = JSON.stringify(moves);
    const check = async () => {
      if (JSON.stringify(await plan()) !== planned)
        throw new UserError("CONFLICT", "The tasks changed at this moment. Nothing was moved. Try again.");
    };
    try {
      return await moveDocuments(workspace, moves, { dryRun, check });
    } catch (error) {
      // Another process may be amid moving them.
      await workspace.locked(project, async () => {});
      moves = await plan();
      if (JSON.stringify(moves) === planned) throw error;
    }
  }
}
