import { type NextStep, UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { withMarkdownExtension } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import { type DocumentFacts, type DocumentLocation, documentPath } from "../../notes/document.ts";
import { matchesHash, shortHash } from "../../notes/hash.ts";
import { checkNewFilename, STANDARD_FOLDERS, standardFolder } from "../../notes/names.ts";
import { listFolder } from "../../storage/list.ts";
import type { Lock } from "../../storage/locks.ts";
import { contentOf } from "../../storage/read.ts";
import { matchNames } from "../find/entries.ts";
import { newPathOnDisk } from "../find/folder.ts";
import type { Document } from "../read.ts";
import type { Workspace } from "../workspace.ts";
import { type Changed, change, type Made } from "./change.ts";
import type { Terms, Wanted } from "./rules.ts";

/** A document that was just written, and whether search finds it already. */
export interface WriteResult extends Pick<Changed, "path" | "file" | "indexed"> {
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
}

/** What was written, as the rules let it happen. */
export type Written = WriteResult &
  Pick<Made, "forReview" | "notes"> & { text: string; facts: DocumentFacts };

/**
 * Creates a document; `project` must be as findProject gives it. Never overwrites: throws FILE_EXISTS if the name is taken,
 * INVALID_FOLDER or INVALID_PATH for a bad place, INVALID_ARGUMENT if it is too large for search.
 * `lock` is the one under which the name was chosen.
 */
export function createDocument(
  workspace: Workspace,
  given: DocumentLocation,
  text: string,
  lock?: Lock,
): Promise<Written> {
  checkNewFilename(given.filename);
  checkWritableFolder(workspace.root, given.project, given.folder);
  const filename = withMarkdownExtension(given.filename);
  checkNewFilename(filename);
  const path = newPathOnDisk(workspace.root, documentPath({ ...given, filename }));
  return write(workspace, { path, before: null, text }, { lock });
}

/**
 * Replaces the text of a document that was read under the project's lock. Throws CONFLICT if the file is not valid UTF-8, which
 * a change could damage, or if a program without the lock changed it meanwhile.
 */
export function replaceDocument(
  workspace: Workspace,
  document: Document,
  { text, ...terms }: { text: string; lock: Lock } & Terms,
): Promise<Written> {
  return write(workspace, { path: document.path, before: document, text }, terms);
}

async function write(
  workspace: Workspace,
  { text, ...place }: Pick<Wanted, "path" | "before"> & { text: string },
  { lock, ...terms }: { lock: Lock | undefined } & Terms,
): Promise<Written> {
  const who = { ...terms, lockOf: lock && (() => lock) };
  const made = await change(workspace, who, [{ ...place, after: contentOf(Buffer.from(text)) }]);
  const [saved] = made.files;
  if (!saved?.content || !saved.facts) throw new Error("no document was written");
  const { path, file, indexed, content, facts } = saved;
  const { forReview, notes } = made;
  return { path, file, indexed, hash: content.hash, text: content.text, facts: facts(), forReview, notes };
}

/** Throws INVALID_FOLDER unless the folder is a standard one, `""`, or one that exists in the project. */
export function checkWritableFolder(root: string, project: string, folder: string): void {
  const standard: readonly string[] = STANDARD_FOLDERS;
  const existing = listFolder(root, project).folders;
  if (folder === "" || matchNames([...standard, ...existing], standardFolder(folder)).length > 0) return;
  const folders = [...new Set([...standard, ...existing])];
  const message = `Folder ${quoteName(folder)} does not exist in project ${quoteName(project)}. Use one of: ${listNames(folders, 30)}, or "".`;
  const details = { project, folder: escapeName(folder), suggestions: nearest(folder, folders) };
  throw new UserError("INVALID_FOLDER", message, { details });
}

/** Throws CONFLICT if the document is not the version that was read; without a hash any version passes. */
export function checkHash(
  document: Pick<Document, "path" | "hash">,
  expected: string | undefined,
  next: NextStep = "read-again",
): void {
  if (expected === undefined || matchesHash(document.hash, expected)) return;
  const { path, hash } = document;
  const message = `${quoteName(path)} changed since you read it.`;
  throw new UserError("CONFLICT", message, { details: { path, hash: shortHash(hash) }, next });
}
