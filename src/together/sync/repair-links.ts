import { UserError } from "../../core/lib/errors.ts";
import { isMarkdown } from "../../core/lib/file-names.ts";
import { moveDocuments } from "../../core/workspace/move.ts";
import type { DocumentMove } from "../../core/workspace/move-check.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import type { Note } from "./reconcile.ts";

type Paths = Pick<ReadonlySet<string>, "has">;

/**
 * Rewrites the links that one side wrote to notes that the other moved meanwhile; `present` has the paths of all files on the
 * disk. Returns the paths of the notes that changed.
 */
export async function repairLinks(
  workspace: Workspace,
  notes: readonly Note[],
  present: Paths,
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const moves of lateMoves(notes, present)) {
    try {
      const { edits } = await moveDocuments(workspace, moves, { isRepair: true });
      for (const { path } of edits) changed.add(path);
    } catch (error) {
      // One of them was moved or removed at this moment: doctor names the links.
      if (!(error instanceof UserError)) throw error;
    }
  }
  return changed;
}

/** From each path that a note had on any side, if no other has it now; each part names a note once. */
function lateMoves(notes: readonly Note[], present: Paths): DocumentMove[][] {
  const names = notes.map((note) => {
    const { base, ours, theirs, path } = note;
    return [...new Set([base, ours, theirs])].filter(
      (from) => from !== undefined && from !== path && !present.has(from),
    );
  });
  return [0, 1, 2]
    .map((at) =>
      notes.flatMap(({ path: to }, index): DocumentMove[] => {
        const from = names[index]?.[at];
        return from === undefined || !isMarkdown(to) || !present.has(to) ? [] : [{ from, to }];
      }),
    )
    .filter((moves) => moves.length > 0);
}
