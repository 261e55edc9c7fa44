import type { DocumentRow } from "../index/catalog.ts";
import { once } from "../lib/collections.ts";
import { type DocumentFacts, describeDocument, isTask, locateDocument } from "../notes/document.ts";
import { type Gate, gateOf } from "../storage/path-gate.ts";
import { type ScannedFile, scanFolder, scanWorkspace } from "../storage/walk.ts";
import { foldersAlike } from "./find/entries.ts";
import { type Document, readOrNull } from "./read.ts";

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
