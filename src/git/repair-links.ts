import { UserError } from "../lib/errors.ts";
import { isMarkdown } from "../lib/file-names.ts";
import { moveDocuments } from "../workspace/move.ts";
import type { DocumentMove } from "../workspace/move-check.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { movesOf, type Sides } from "./reconcile.ts";

type Paths = Pick<ReadonlySet<string>, "has">;

/**
 * Rewrites the links that one side wrote to notes that the other moved meanwhile; `present` has the paths of all files on the
 * disk. True if a note changed.
 */
export async function repairLinks(workspace: Workspace, sides: Sides, present: Paths): Promise<boolean> {
  let isChanged = false;
  for (const moves of lateMoves(sides, present)) {
    try {
      const { edits } = await moveDocuments(workspace, moves, { isRepair: true });
      isChanged ||= edits.length > 0;
    } catch (error) {
      // Somebody moved or removed one of them at this moment: doctor names the links.
      if (!(error instanceof UserError)) throw error;
    }
  }
  return isChanged;
}

/** The moves of both sides whose old names are free; then those of ours that gave way to another place of theirs. */
function lateMoves({ base, ours, theirs }: Sides, present: Paths): DocumentMove[][] {
  const [own, other] = [movesOf(base, ours), movesOf(base, theirs)];
  const first = [...new Map([...own, ...other])].map(([from, to]) => ({ from, to }));
  const second = [...own].flatMap(([from, place]) => {
    const to = other.get(from) ?? place;
    return to === place ? [] : [{ from: place, to }];
  });
  const isLate = ({ from, to }: DocumentMove) => isMarkdown(to) && present.has(to) && !present.has(from);
  return [first, second].map((moves) => moves.filter(isLate)).filter((moves) => moves.length > 0);
}
