import { listDocuments } from "../index/catalog.ts";
import { indexLookup, linksNaming } from "../index/links.ts";
import { compareText } from "../lib/text.ts";
import { ARCHIVE, baseName, formatTaskNumber, withTaskNumber } from "../notes/names.ts";
import { sharedNumbers } from "../notes/task/shared-numbers.ts";
import { backlinks } from "./links.ts";
import { movePlanned } from "./move.ts";
import type { DocumentMove } from "./move-check.ts";
import type { MoveResult } from "./move-plan.ts";
import { nextNumber } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Gives each of the tasks that share a number one of its own, as one change: the one with the most links keeps it, among equals the
 * one that was not changed for longest. Links that name a file follow it; a number alone means the task that keeps it.
 */
export function renumberTasks(
  workspace: Workspace,
  project: string,
  { dryRun }: { dryRun: boolean },
): Promise<MoveResult> {
  return movePlanned(workspace, project, { plan: () => planMoves(workspace, project), dryRun });
}

async function planMoves(workspace: Workspace, project: string): Promise<DocumentMove[]> {
  const leaving = await workspace.index.query((db) => {
    const rows = ["tasks", ARCHIVE].flatMap((folder) => listDocuments(db, { project, folder }));
    const lookup = indexLookup(db);
    return sharedNumbers(rows).flatMap((group) => {
      const tasks = group.map(({ path, mtime }) => {
        return { path, mtime, links: backlinks(linksNaming(db, [path]), path, () => lookup).length };
      });
      const [, ...others] = tasks.sort(
        (a, b) => b.links - a.links || a.mtime - b.mtime || compareText(a.path, b.path),
      );
      return others.map(({ path }) => path);
    });
  });
  if (leaving.length === 0) return [];
  const next = nextNumber(workspace, project, await workspace.branches.nextNumber(project));
  return leaving.sort(compareText).map((from, at) => {
    const name = withTaskNumber(baseName(from), formatTaskNumber(next + at));
    return { from, to: from.slice(0, -baseName(from).length) + name };
  });
}
