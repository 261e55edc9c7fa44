import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  locateDocument,
} from "../domain/document.ts";
import { type FileContent, readContent } from "../files/read.ts";
import { type ScannedFile, scanWorkspace } from "../files/walk.ts";
import type { DocumentRow } from "../index/catalog.ts";
import type { WorkspaceDocument } from "./read.ts";

/** The documents of one project, and the text of each; null for one that cannot be read. */
export interface ProjectFiles {
  rows: DocumentRow[];
  read: (path: string) => WorkspaceDocument | null;
}

/**
 * The documents as the index would list them, from the files: without an index to load this is quicker for one look. What is
 * in a file is read when it is first asked for.
 */
export function readProjectFiles(root: string, project: string): ProjectFiles {
  const files = scanWorkspace(root, project).files.map(openFile);
  const byPath = new Map(files.map((file) => [file.row.path, file]));
  const rows = files.map(({ row }) => row);
  rows.sort((a, b) => compare(a.folder, b.folder) || compare(a.filename, b.filename));
  return { rows, read: (path) => byPath.get(path)?.read() ?? null };
}

interface OpenFile {
  row: DocumentRow;
  read: () => WorkspaceDocument | null;
}

function openFile({ path, file, modified: mtime }: ScannedFile): OpenFile {
  const location = locateDocument(path);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  const content = once(() => contentOf(file));
  // Gone or unreadable since the walk: its name stands.
  const facts = once(() => describeDocument(location, content()?.text ?? ""));
  const read = () => {
    const found = content();
    return found === undefined ? null : documentOf({ ...location, path, mtime }, found, facts());
  };
  return { row: lazyRow(location, { path, mtime }, facts), read };
}

function documentOf(
  place: DocumentLocation & { path: string; mtime: number },
  content: FileContent,
  facts: DocumentFacts,
): WorkspaceDocument {
  const { text, exact } = content;
  return {
    ...place,
    text,
    exact,
    facts,
    get hash() {
      return content.hash;
    },
  };
}

function lazyRow(
  location: DocumentLocation,
  { path, mtime }: { path: string; mtime: number },
  facts: () => DocumentFacts,
): DocumentRow {
  return {
    ...location,
    path,
    mtime,
    get title() {
      return facts().title;
    },
    get type() {
      return facts().type;
    },
    get status() {
      return facts().status;
    },
    get owner() {
      return facts().owner;
    },
    get tags() {
      return facts().tags;
    },
    get updated() {
      return facts().updated;
    },
    get task() {
      return location.folder === "tasks" ? facts().task : null;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function contentOf(file: string): FileContent | undefined {
  try {
    return readContent(file);
  } catch {
    return undefined;
  }
}

/** The order of SQLite: by code points, not by the halves of surrogate pairs. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (/[\uD800-\uDFFF]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
