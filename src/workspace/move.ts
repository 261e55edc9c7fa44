import { projectOf } from "../history/history.ts";
import type { DocumentMove } from "./move-check.ts";
import { findScope, type MoveOptions, type MoveResult, planMove } from "./move-plan.ts";
import { indexChanged } from "./undo.ts";
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
  if (options.dryRun) return (await planMove(workspace.root, scope, options)).result;
  for (;;) {
    const projects = new Set(scope.paths.map(projectOf));
    const plan = await workspace.history.locked([...projects], async (lockOf) => {
      await options.check?.();
      scope = await findScope(workspace, moves, options);
      // A link in a further project was written meanwhile.
      if (!scope.paths.every((path) => projects.has(projectOf(path)))) return undefined;
      const plan = await planMove(workspace.root, scope, options);
      if (plan.changes.length === 0) return plan;
      const change = await workspace.history.changeAll(plan.changes, lockOf);
      return { ...plan, result: { ...plan.result, change } };
    });
    if (plan === undefined) continue;
    await indexChanged(workspace, plan.changes);
    return plan.result;
  }
}
