import { join } from "node:path";
import { indexedSuccessors } from "../index/succession.ts";
import { remember } from "../lib/collections.ts";
import { type DocumentFacts, describeDocument, locateDocument } from "../notes/document.ts";
import { pathIn, projectOf } from "../notes/names.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import { lapseText } from "../notes/standing/lapse.ts";
import { lastOf } from "../notes/standing/successors.ts";
import type { SearchResult } from "../search/results.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type Evidence, evidenceOf, type StaleDocument } from "../stale/evidence.ts";
import { type KnownCode, mayName } from "../stale/lost.ts";
import { tellsThePast } from "../stale/told.ts";
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

/** The same of documents that a search found, in at most two sentences; null if all holds. */
export function outdatedInShort(workspace: Workspace) {
  const lostAt = lostFinder(workspace);
  return ({ path, lapse }: Pick<SearchResult, "path" | "lapse">): string | null => {
    if (lapse !== undefined) return lapseText(lapse);
    const said = new Set(lostAt(path).map(({ says }) => says));
    return [...said].slice(0, MOST_IN_SHORT).join("; ") || null;
  };
}

/** What a document names that is not there any more, as far as that is known now. */
export function lostIn(workspace: Workspace, document: StaleDocument): Evidence[] {
  return lostOf(document, knownCode(workspace, document.path));
}

/** The same, said of a text that was just written: no commit has its lines yet. */
export function lostInNew(workspace: Workspace, document: StaleDocument): string[] {
  const code = knownCode(workspace, document.path);
  const lost = lostOf(document, code && { ...code, lines: () => new Map() });
  return [...new Set(lost.map(({ says }) => says))];
}

/** The same of many paths: those are read that may name such a thing. */
export function lostFinder(workspace: Workspace): (path: string) => Evidence[] {
  const code = remember((project: string) => codeOf(workspace, project));
  const notes = textReader(workspace.root);
  return (path) => {
    const known = code(projectOf(path));
    const location = locateDocument(path);
    if (known === undefined || location === null) return [];
    if (tellsThePast({ path, facts: { status: null } })) return [];
    const text = (repositoryFile(path) === undefined ? notes : known.textOf)(path);
    const facts = text === undefined ? null : known.seen(path, text, () => describeDocument(location, text));
    if (text === undefined || facts === null) return [];
    return lostOf({ path, text, facts }, seenFrom(workspace.root, path, known));
  };
}

function lostOf(document: StaleDocument, code: KnownCode | undefined): Evidence[] {
  const found = code === undefined ? [] : evidenceOf(document, { code, successors: [] });
  return found.filter(({ kind }) => kind !== "superseded");
}

async function successorsOf(workspace: Workspace, path: string): Promise<readonly string[]> {
  const theirs = repositoryFile(path) && workspace.documentsOf(projectOf(path));
  const read = (db: SqlDatabase) => lastOf(path, indexedSuccessors(db));
  return (await (theirs ?? workspace.index).query(read)) ?? [];
}

type Code = NonNullable<ReturnType<typeof codeOf>>;

/** What git says now of a project's repository, and the folder in it that the project is about. */
export function codeOf(workspace: Workspace, project: string | undefined) {
  const theirs =
    workspace.code === undefined || project === undefined ? undefined : workspace.recentDocumentsOf(project);
  const reader = theirs && workspace.code?.of(theirs.folder);
  const index = reader?.index();
  if (theirs === undefined || reader === undefined || index === undefined) return undefined;
  const seen = (path: string, text: string, describe: () => DocumentFacts) =>
    reader.seen(path, text, () => (mayName(text, index) ? describe() : null));
  return { folder: theirs.folder, textOf: theirs.textReader(), reader, index, seen };
}

function knownCode(workspace: Workspace, path: string): KnownCode | undefined {
  const known = codeOf(workspace, projectOf(path));
  return known && seenFrom(workspace.root, path, known);
}

function seenFrom(root: string, path: string, { folder, reader, index }: Code): KnownCode {
  const { top } = reader;
  const theirs = repositoryFile(path)?.file;
  const at = below(top, theirs === undefined ? join(realPath(root), path) : join(folder, theirs));
  const notes = join(root, pathIn(projectOf(path), ""));
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
