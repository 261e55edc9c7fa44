import { describeDocument, locateDocument } from "../domain/document.ts";
import type { FileContent } from "../files/read.ts";
import type { ScannedFile } from "../files/walk.ts";
import type { DocumentEntry } from "../index/documents.ts";
import { chunkMarkdown } from "../markdown/chunks.ts";

/** What the index keeps of a file, and what is wrong with its frontmatter. */
export function describeEntry(
  scanned: ScannedFile,
  content: FileContent,
): { entry: DocumentEntry; problem: string | null } {
  const location = locateDocument(scanned.path);
  if (location === null) throw new Error(`not the path of a document: ${scanned.path}`);
  const { problem, bodyOffset, ...facts } = describeDocument(location, content.text);
  const chunks = chunkMarkdown(content.text, bodyOffset);
  const entry = {
    ...location,
    ...facts,
    path: scanned.path,
    hash: content.hash,
    mtime: scanned.modified,
    chunks,
  };
  return { entry, problem };
}
