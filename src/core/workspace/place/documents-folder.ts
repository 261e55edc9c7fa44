import { realPath } from "../../storage/folders.ts";
import { matchName } from "../find/entries.ts";
import { projectNameOf } from "./folder-project.ts";
import { type Here, nearestMarker, surroundingsOf } from "./surroundings.ts";

/**
 * The folder with a project's own documents, if `here` belongs to this project: that of the line which names it, else the repository or
 * worktree; outside of one only a line makes it a project's.
 */
export function documentsFolder(root: string, here: Here, project: string): string | undefined {
  const likely = projectNameOf(root, here);
  const around = surroundingsOf(here);
  if (likely === undefined || around === undefined || likely.isElsewhere) return undefined;
  if (matchName([project], likely.name) === undefined) return undefined;
  const { repository, own } = around;
  const marked = nearestMarker(around)?.folder;
  if (marked !== undefined && (repository === undefined || own.includes(marked))) return realPath(marked);
  return repository === undefined ? undefined : realPath(repository);
}
