import { locateDocument } from "../../notes/document.ts";
import { projectOf } from "../../notes/names.ts";
import type { FileChange } from "../../storage/change-file.ts";
import { realPath } from "../../storage/folders.ts";
import { partsBelow } from "../../storage/path-gate.ts";
import type { FileContent } from "../../storage/read.ts";
import type { Workspace } from "../workspace.ts";
import { type Allowed, keepRules, type Served, type Terms, type Wanted } from "./rules.ts";

/** Changes that were decided under the locks of their projects. */
interface Decided {
  changes: readonly Wanted[];
  /** A change of its own, made before them under the same locks. */
  first?: Wanted | undefined;
}

/** What a change did. */
interface Made {
  /** The id in the history, which takes it back; undefined if nothing was changed or no history is kept. */
  change: string | undefined;
  /** What the rules say about it. */
  notes: string[];
}

/**
 * Makes the changes that `decide` wants as one operation: all of them or none. They are decided under the locks of these projects.
 * Throws what keepRules throws, and CONFLICT.
 */
export async function change<T extends Decided>(
  workspace: Workspace,
  projects: readonly string[],
  decide: () => Promise<T>,
  terms: Terms = {},
): Promise<T & Made> {
  const { history } = workspace;
  const made = await history.locked(projects, async (lockOf) => {
    const decided = await decide();
    const { changes, first } = decided;
    const allowed = allow(workspace, changes, terms);
    if (first !== undefined) await history.changeAll([first], lockOf);
    const id = changes.length === 0 ? undefined : await history.changeAll(allowed.changes, lockOf);
    return { ...decided, changes: allowed.changes, change: id, notes: allowed.notes };
  });
  await indexChanged(workspace, made.changes);
  return made;
}

/** The changes as the rules let them happen. A place that a document leaves for another one is not removed. */
export function allow(
  served: Served,
  changes: readonly Wanted[],
  terms: Terms = {},
): { changes: Wanted[]; notes: string[] } {
  const leaving = new Set(changes.map(({ from }) => from?.path));
  const kept = changes.map(
    (one): Allowed =>
      one.after === null && leaving.has(one.path)
        ? { change: one, forReview: false, notes: [] }
        : keepRules(served, one, terms),
  );
  return { changes: kept.map((one) => one.change), notes: [...new Set(kept.flatMap(({ notes }) => notes))] };
}

/** Changes one file (absolute, link-free) with `write`, byte for byte as it is given; a file outside the workspace has no rules. */
export async function changeOne(
  served: Served,
  { file, before, after }: { file: string; before: FileContent | null; after: FileContent },
  write: (ready?: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { root, history } = served;
  const path = partsBelow(realPath(root), file)?.join("/") ?? "";
  keepRules(served, { path, before, after }, { exact: true });
  if (before === null) await history.recover([projectOf(path)]);
  return history.recorded({ file, before, after }, write);
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
