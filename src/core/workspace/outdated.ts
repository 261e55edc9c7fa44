import { join } from "node:path";
import { indexedSuccessors } from "../index/succession.ts";
import { once } from "../lib/collections.ts";
import { type DocumentFacts, describeDocument, locateDocument } from "../notes/document.ts";
import { pathIn, projectOf } from "../notes/names.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import { lapseOf, lastOf } from "../notes/standing/successors.ts";
import type { SearchResult } from "../search/results.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type Evidence, type Lost, lostReferences, wasTrue } from "../stale/lost.ts";
import { realPath } from "../storage/folders.ts";
import { inspectPath } from "../storage/inspect.ts";
import { partsBelow } from "../storage/path-gate.ts";
import { ifIndexed } from "./links.ts";
import type { Workspace } from "./workspace.ts";

/** A document, as far as evidence needs it. */
export interface StaleDocument {
  path: string;
  text: string;
  facts: DocumentFacts;
}

/** What in a document of the workspace, or of a project's repository, no longer holds, as far as it is known now; of one that does not hold as a whole nothing more. */
export async function outdatedOf(workspace: Workspace, document: StaleDocument): Promise<Evidence[]> {
  const { path, facts } = document;
  const theirs = repositoryFile(path) && workspace.documentsOf(projectOf(path));
  const read = (db: SqlDatabase) => lastOf(path, indexedSuccessors(db));
  const successors = (await ifIndexed((theirs ?? workspace.index).query(read), [])) ?? [];
  const lapse = lapseOf(facts.standing?.word, successors);
  return lapse === undefined ? lostIn(workspace, document) : [{ line: 1, says: lapse }];
}

const MOST_IN_SHORT = 2;

/** The same of what a search found, in at most two sentences; "" if all holds. */
export function outdatedInShort(
  workspace: Workspace,
  { path, text, lapse }: Pick<SearchResult, "path" | "text" | "lapse">,
): string {
  const lost = lapse === undefined ? lostIn(workspace, { path, text: text() }) : [];
  return lapse ?? [...new Set(lost.map(({ says }) => says))].slice(0, MOST_IN_SHORT).join("; ");
}

/** What a text names that the repository of its project has no more, as far as that is known now: nothing waits for git. Of a new one, no commit has the lines. */
export function lostIn(
  workspace: Workspace,
  { path, text, facts }: Omit<StaleDocument, "facts"> & Partial<StaleDocument>,
  isNew = false,
): Evidence[] {
  const folder = workspace.repositories?.folderOf(projectOf(path));
  const location = locateDocument(path);
  if (folder === undefined || location === null) return [];
  const found = workspace.code?.look(folder, (reader, index) => {
    const { at, about, isThere } = seenFrom(workspace.root, path, { folder, top: reader.top });
    const describe = () => facts ?? describeDocument(location, text);
    const lost = reader.lost(path, text, () =>
      lostReferences({ path, text, describe }, index, { at: at(), about: about() }),
    );
    const isTrue = (one: Lost) => {
      const file = isNew ? undefined : at();
      const lines = file === undefined ? undefined : reader.lines(file);
      return file === undefined || (lines !== undefined && wasTrue(one, lines));
    };
    return lost
      .filter((one) => isTrue(one) && ![...one.places, one.fate.path].some(isThere))
      .map(({ line, says }) => ({ line, says }));
  });
  return found ?? [];
}

/** Where a document is in a repository, the folder that the notes are about, and what is on the disk there, or among the notes. */
function seenFrom(root: string, path: string, { folder, top }: { folder: string; top: string }) {
  const theirs = repositoryFile(path)?.file;
  const below = (file: string) => partsBelow(top, file)?.join("/");
  const disks = theirs === undefined ? [top, join(root, pathIn(projectOf(path), ""))] : [top];
  return {
    at: once(() => below(theirs === undefined ? join(realPath(root), path) : join(folder, theirs))),
    about: () => below(folder) ?? "",
    isThere: (file: string) => disks.some((disk) => inspectPath(join(disk, file)).kind !== "missing"),
  };
}
