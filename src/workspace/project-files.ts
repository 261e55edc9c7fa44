import { type DocumentFacts, describeDocument, locateDocument } from "../domain/document.ts";
import { type Gate, gateOf } from "../files/gate.ts";
import { type FileContent, readScanned } from "../files/read.ts";
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
  const gate = gateOf(root);
  const rows = scanWorkspace(root, project).files.map((file) => new ProjectFile(gate, file));
  const byPath = new Map(rows.map((row) => [row.path, row]));
  rows.sort((a, b) => compare(a.folder, b.folder) || compare(a.filename, b.filename));
  return { rows, read: (path) => byPath.get(path)?.read() ?? null };
}

/** A class, since objects with getters of their own take longer to make than all that is asked of them. */
class ProjectFile implements DocumentRow {
  readonly project: string;
  readonly folder: string;
  readonly filename: string;
  readonly path: string;
  readonly mtime: number;
  readonly #gate: Gate;
  readonly #scanned: ScannedFile;
  #content: FileContent | null | undefined;
  #facts: DocumentFacts | undefined;

  constructor(gate: Gate, scanned: ScannedFile) {
    const { path, modified } = scanned;
    const location = locateDocument(path);
    if (location === null) throw new Error(`not the path of a document: ${path}`);
    this.project = location.project;
    this.folder = location.folder;
    this.filename = location.filename;
    this.path = path;
    this.mtime = modified;
    this.#gate = gate;
    this.#scanned = scanned;
  }

  get title() {
    return this.#described().title;
  }
  get type() {
    return this.#described().type;
  }
  get status() {
    return this.#described().status;
  }
  get owner() {
    return this.#described().owner;
  }
  get tags() {
    return this.#described().tags;
  }
  get updated() {
    return this.#described().updated;
  }
  get task() {
    return this.folder === "tasks" ? this.#described().task : null;
  }

  read(): WorkspaceDocument | null {
    const content = this.#read();
    return content === null ? null : documentOf(this, content, this.#described());
  }

  #described(): DocumentFacts {
    // Gone or unreadable since the walk: its name stands.
    this.#facts ??= describeDocument(this, this.#read()?.text ?? "");
    return this.#facts;
  }

  #read(): FileContent | null {
    this.#content ??= contentOf(this.#gate, this.#scanned);
    return this.#content;
  }
}

function documentOf(
  { project, folder, filename, path, mtime }: DocumentRow,
  content: FileContent,
  facts: DocumentFacts,
): WorkspaceDocument {
  const { text, exact } = content;
  return {
    ...{ project, folder, filename, path, mtime },
    text,
    exact,
    facts,
    get hash() {
      return content.hash;
    },
  };
}

function contentOf(gate: Gate, scanned: ScannedFile): FileContent | null {
  try {
    return readScanned(gate, scanned)?.content ?? null;
  } catch {
    return null;
  }
}

/** The order of SQLite: by code points, not by the halves of surrogate pairs. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (/[\uD800-\uDFFF]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
