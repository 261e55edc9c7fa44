import type { DocumentRow } from "../index/catalog.ts";
import { once } from "../lib/collections.ts";
import { withMarkdownExtension } from "../lib/file-names.ts";
import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  documentPath,
  isTask,
  locateDocument,
  updatedDate,
} from "../notes/document.ts";
import { attempt } from "../storage/fs-errors.ts";
import { type Gate, gateOf } from "../storage/path-gate.ts";
import { type ReadFile, readFile, readScanned } from "../storage/read.ts";
import { type ScannedFile, scanFolder, scanWorkspace } from "../storage/walk.ts";
import { type DocumentName, findDocument, findIfThere } from "./find/document.ts";
import { foldersAlike, pathOnDisk } from "./find/entries.ts";
import { documentNotFound } from "./find/not-found.ts";

/** A document read from disk. */
export interface Document extends DocumentLocation, ReadFile {
  path: string;
  facts: DocumentFacts;
}

/** Reads a document by any name that leaves no doubt. Throws as findDocument does. */
export function readNamed(root: string, name: DocumentName): Document {
  return readDocument(root, findDocument(root, name));
}

/** The same; undefined if there is no such document. */
export function readIfNamed(root: string, name: DocumentName): Document | undefined {
  const path = findIfThere(root, name);
  return path === undefined ? undefined : readDocument(root, path);
}

/** Reads the document at a path as it is spelled on the disk. Throws FILE_NOT_FOUND or INVALID_FOLDER. */
export function readDocument(root: string, path: string): Document {
  const read = readFile(gateOf(root), path);
  if (read !== undefined) return documentOf(path, read);
  const location = locateDocument(path);
  throw documentNotFound(
    root,
    location ?? { project: path.split("/", 1)[0] ?? "", folder: "", filename: "" },
  );
}

/** Reads a document of a project as findProject gives it; undefined if there is no such document. */
export function readIfThere(root: string, { filename, ...place }: DocumentLocation): Document | undefined {
  const path = pathOnDisk(root, documentPath({ ...place, filename: withMarkdownExtension(filename) }));
  return path === undefined ? undefined : readDocument(root, path);
}

/** A scanned document; null if it is gone or cannot be read. */
export function readOrNull(gate: Gate, scanned: ScannedFile): Document | null {
  try {
    const read = readScanned(gate, scanned);
    return read === undefined ? null : documentOf(scanned.path, read);
  } catch {
    return null;
  }
}

export function documentOf(path: string, read: ReadFile): Document {
  const location = locateDocument(path);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  return Object.assign(read, { ...location, path, facts: describeDocument(location, read.text, read) });
}

/** A document's metadata as tools and resources give it; `updated` is always a date. */
export function documentMetadata({ facts, stats }: Document) {
  const { type, status, tags, owner } = facts;
  return {
    type,
    status,
    updated: updatedDate({ updated: facts.updated, mtime: stats.mtimeMs }),
    tags,
    owner,
  };
}

/** Reads the texts of documents by path; undefined for one that is gone or unreadable since the sync. */
export function textReader(root: string): (path: string) => string | undefined {
  const gate = gateOf(root);
  return (path) => attempt(() => readFile(gate, path)?.text);
}

/** A document of one project. */
export interface ProjectDocument extends DocumentRow {
  /** Null if it cannot be read. */
  read(): Document | null;
}

/** The documents, of one folder (under any letter case) if it is given, in the order of the index, from the files; each is read when its text is first needed. */
export function readProjectFiles(root: string, project: string, folder?: string): ProjectDocument[] {
  const gate = gateOf(root);
  const scans =
    folder === undefined
      ? [scanWorkspace(root, project)]
      : foldersAlike(root, project, folder).map((place) => scanFolder(root, place));
  const files = scans.flatMap((scan) => scan.files).map((file) => new ProjectFile(gate, file));
  return files.sort((a, b) => compare(a.folder, b.folder) || compare(a.filename, b.filename));
}

/** A class, since an object literal with getters takes far longer to create. */
class ProjectFile implements ProjectDocument {
  readonly project: string;
  readonly folder: string;
  readonly filename: string;
  readonly path: string;
  readonly mtime: number;
  readonly read: () => Document | null;
  // Gone or unreadable since the scan: the facts come from its name.
  readonly #facts = once((): DocumentFacts => this.read()?.facts ?? describeDocument(this, ""));

  constructor(gate: Gate, scanned: ScannedFile) {
    const { path, mtime: modified } = scanned;
    const location = locateDocument(path);
    if (location === null) throw new Error(`not the path of a document: ${path}`);
    this.project = location.project;
    this.folder = location.folder;
    this.filename = location.filename;
    this.path = path;
    this.mtime = modified;
    this.read = once(() => readOrNull(gate, scanned));
  }

  get title() {
    return this.#facts().title;
  }
  get type() {
    return this.#facts().type;
  }
  get status() {
    return this.#facts().status;
  }
  get owner() {
    return this.#facts().owner;
  }
  get tags() {
    return this.#facts().tags;
  }
  get updated() {
    return this.#facts().updated;
  }
  get task() {
    return isTask(this) ? this.#facts().task : null;
  }
}

/** The order of SQLite: by code points, not by the halves of surrogate pairs. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (/[\uD800-\uDFFF]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
