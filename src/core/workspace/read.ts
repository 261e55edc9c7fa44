import { withMarkdownExtension } from "../lib/file-names.ts";
import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  documentPath,
  locateDocument,
  updatedDate,
} from "../notes/document.ts";
import { attempt } from "../storage/fs-errors.ts";
import { type Gate, gateOf } from "../storage/path-gate.ts";
import { type ReadFile, readFile, readScanned } from "../storage/read.ts";
import type { ScannedFile } from "../storage/walk.ts";
import { type DocumentName, findDocument, findIfThere } from "./find/document.ts";
import { pathOnDisk } from "./find/entries.ts";
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

function documentOf(path: string, read: ReadFile): Document {
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
