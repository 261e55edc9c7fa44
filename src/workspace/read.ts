import { updatedDate } from "../domain/calendar.ts";
import {
  type DocumentFacts,
  type DocumentLocation,
  describeDocument,
  locateDocument,
} from "../domain/document.ts";
import { gateOf } from "../files/gate.ts";
import { type FileContent, readFile } from "../files/read.ts";
import { type DocumentName, documentNotFound, findDocument } from "./locate.ts";

/** A document read from disk. */
export interface WorkspaceDocument extends DocumentLocation {
  path: string;
  /** The whole file, frontmatter included. */
  text: string;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** Whether `text` gives back exactly the bytes of the file: one of which it does not is never rewritten. */
  exact: boolean;
  /** Milliseconds since 1970. */
  mtime: number;
  facts: DocumentFacts;
}

/** Reads a document that exists. Throws as findDocument does, and FILESYSTEM_ERROR. */
export function readDocument(root: string, name: DocumentName): WorkspaceDocument {
  const { path } = findDocument(root, name);
  const read = readFile(gateOf(root), path);
  if (read === undefined) throw documentNotFound(root, name);
  const location = locateDocument(path);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  const { content, stats } = read;
  const facts = describeDocument(location, content.text);
  return documentOf({ ...location, path, mtime: stats.mtimeMs }, content, facts);
}

export function documentOf(
  { project, folder, filename, path, mtime }: Omit<WorkspaceDocument, "text" | "hash" | "exact" | "facts">,
  content: FileContent,
  facts: DocumentFacts,
): WorkspaceDocument {
  const { text, exact } = content;
  return {
    ...{ project, folder, filename, path, mtime, text, exact, facts },
    get hash() {
      return content.hash;
    },
  };
}

/** A document's metadata as tools and resources give it; `updated` is always a date. */
export function documentMetadata({ facts, mtime }: WorkspaceDocument) {
  const { type, status, tags, owner } = facts;
  return { type, status, updated: updatedDate({ updated: facts.updated, mtime }), tags, owner };
}
