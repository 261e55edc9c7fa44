import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  locateDocument,
  updatedDate,
} from "../notes/document.ts";
import { attempt } from "../storage/fs-errors.ts";
import { type Gate, gateOf } from "../storage/path-gate.ts";
import { type ReadFile, readFile, readScanned } from "../storage/read.ts";
import type { ScannedFile } from "../storage/walk.ts";
import { documentNotFound, pathsOf } from "./locate.ts";

/** A document read from disk. */
export interface Document extends DocumentLocation, ReadFile {
  path: string;
  facts: DocumentFacts;
}

/**
 * Reads a document of a project as findProject gives it, with `.md` added if missing. Throws the code that says which part of its
 * name is wrong.
 */
export function readDocument(root: string, location: DocumentLocation): Document {
  const document = readIfThere(root, location);
  if (document !== undefined) return document;
  throw documentNotFound(root, location);
}

/** Reads a document of a project as findProject gives it; undefined if there is no such document. */
export function readIfThere(root: string, location: DocumentLocation): Document | undefined {
  const gate = gateOf(root);
  for (const path of pathsOf(root, location)) {
    const read = readFile(gate, path);
    if (read !== undefined) return documentOf(path, read);
  }
  return undefined;
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
  return Object.assign(read, { ...location, path, facts: describeDocument(location, read.text) });
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
