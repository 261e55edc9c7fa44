import { join } from "node:path";
import { indexedSuccessors } from "../index/succession.ts";
import { describeDocument, locateDocument } from "../notes/document.ts";
import { pathIn, projectOf } from "../notes/names.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import { lapseText } from "../notes/standing/lapse.ts";
import { lastOf } from "../notes/standing/successors.ts";
import type { SearchResult } from "../search/results.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type Evidence, evidenceOf, type StaleDocument } from "../stale/evidence.ts";
import type { KnownCode } from "../stale/lost.ts";
import { realPath } from "../storage/folders.ts";
import { inspectPath } from "../storage/inspect.ts";
import { partsBelow } from "../storage/path-gate.ts";
import { ifIndexed } from "./links.ts";
import { textReader } from "./read.ts";
import type { Workspace } from "./workspace.ts";

/** What in a document of the workspace, or of a project's repository, no longer holds, as far as it is known now: nothing waits for git. */
export async function outdatedOf(workspace: Workspace, document: StaleDocument): Promise<Evidence[]> {
  const successors = await ifIndexed(successorsOf(workspace, document.path), []);
  return evidenceOf(document, { code: knownCode(workspace, document.path), successors });
}

const MOST_IN_SHORT = 2;

/** The same of a document that a search found, in at most two sentences; null if all holds. */
export function outdatedInShort(
  workspace: Workspace,
  { path, lapse }: Pick<SearchResult, "path" | "lapse">,
): string | null {
  if (lapse !== undefined) return lapseText(lapse);
  const location = locateDocument(path);
  if (location === null || knownCode(workspace, path) === undefined) return null;
  const theirs = repositoryFile(path) && workspace.documentsOf(projectOf(path));
  const text = (theirs?.textReader() ?? textReader(workspace.root))(path) ?? "";
  const found = lostIn(workspace, { path, text, facts: describeDocument(location, text) });
  const said = new Set(found.map(({ says }) => says));
  return [...said].slice(0, MOST_IN_SHORT).join("; ") || null;
}

/** What a document names that is not there any more, as far as that is known now. */
export function lostIn(workspace: Workspace, document: StaleDocument): Evidence[] {
  const code = knownCode(workspace, document.path);
  const found = code === undefined ? [] : evidenceOf(document, { code, successors: [] });
  return found.filter(({ kind }) => kind !== "superseded");
}

async function successorsOf(workspace: Workspace, path: string): Promise<readonly string[]> {
  const theirs = repositoryFile(path) && workspace.documentsOf(projectOf(path));
  const read = (db: SqlDatabase) => lastOf(path, indexedSuccessors(db));
  return (await (theirs ?? workspace.index).query(read)) ?? [];
}

function knownCode(workspace: Workspace, path: string): KnownCode | undefined {
  const { root, code } = workspace;
  const project = projectOf(path);
  const folder = code && workspace.documentsOf(project)?.folder;
  const reader = folder === undefined ? undefined : code?.of(folder);
  const index = reader?.index();
  if (folder === undefined || reader === undefined || index === undefined) return undefined;
  const { top } = reader;
  const theirs = repositoryFile(path)?.file;
  const at = below(top, theirs === undefined ? join(realPath(root), path) : join(folder, theirs));
  const notes = join(root, pathIn(project, ""));
  const isThere = (place: string) => inspectPath(place).kind !== "missing";
  return {
    index,
    at,
    about: below(top, folder) ?? "",
    isOnDisk: (file) => isThere(join(top, file)) || (theirs === undefined && isThere(join(notes, file))),
    lines: () => (at === undefined ? undefined : reader.lines(at)),
  };
}

/** The path of a file in a repository, if it is there. */
function below(top: string, file: string): string | undefined {
  return partsBelow(top, file)?.join("/");
}
