import { type NextStep, UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { withMarkdownExtension } from "../../lib/file-names.ts";
import { isTypo, nearest } from "../../lib/text.ts";
import { type DocumentFacts, type DocumentLocation, documentPath } from "../../notes/document.ts";
import { matchesHash, shortHash } from "../../notes/hash.ts";
import { checkNewFilename, ROOT_PROJECT, STANDARD_FOLDERS, standardFolder } from "../../notes/names.ts";
import { aliasOfFolder } from "../../storage/aliases.ts";
import type { Place } from "../../storage/change-file.ts";
import { listFolder } from "../../storage/list.ts";
import type { Lock } from "../../storage/locks.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { contentOf } from "../../storage/read.ts";
import { matchNames } from "../find/entries.ts";
import { newPathOnDisk } from "../find/folder.ts";
import { refuseRepositoryFile } from "../find/repository-file.ts";
import type { Document } from "../read.ts";
import type { Workspace } from "../workspace.ts";
import { bothEnds } from "./both-ends.ts";
import { change, type Outcome } from "./change.ts";
import type { Terms } from "./rules.ts";

/** A document that was just written, as the rules let it happen. */
export interface SavedDocument extends Place, Pick<Outcome, "forReview" | "notes"> {
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  /** The id of the change in the history, if there is one. */
  change: Outcome["id"];
  /** Whether search finds it already. */
  indexed: boolean;
  text: string;
  facts: DocumentFacts;
}

/**
 * Creates a document; `project` must be as findProject gives it. Never overwrites: throws FILE_EXISTS if the name is taken,
 * INVALID_FOLDER or INVALID_PATH for a bad place, INVALID_ARGUMENT if it is too large for search.
 * `lock` is the one under which the name was chosen, or the document that it supersedes is changed.
 */
export function createDocument(
  workspace: Workspace,
  given: DocumentLocation,
  text: string,
  lock?: Lock,
  supersedes?: string,
): Promise<SavedDocument> {
  checkNewFilename(given.filename);
  checkWritableFolder(workspace.root, given.project, given.folder);
  const filename = withMarkdownExtension(given.filename);
  checkNewFilename(filename);
  const path = newPathOnDisk(workspace.root, documentPath({ ...given, filename }));
  return saveDocument(workspace, { path }, { text, lock, supersedes });
}

/**
 * Writes a new document, or the new text of one that was read under the project's lock. Throws CONFLICT if the file is not valid
 * UTF-8, which a change could damage, or if a program without the lock changed it meanwhile; with `supersedes`, the path of the
 * document whose place it takes, what bothEnds throws.
 */
export async function saveDocument(
  workspace: Workspace,
  document: Document | { path: string },
  { text, lock, supersedes, ...terms }: Saving & Terms,
): Promise<SavedDocument> {
  const before = "bytes" in document ? document : null;
  const who = { ...terms, lockOf: lock && (() => lock) };
  const ends = bothEnds(workspace.root, { path: document.path, text }, supersedes);
  const wanted = { path: document.path, before, after: contentOf(Buffer.from(ends.text)) };
  const { id, files, forReview, notes } = await change(workspace, who, [wanted, ...ends.others]);
  const [saved] = files;
  if (!saved?.after || !saved.facts) throw new Error("no document was written");
  const { path, file, indexed, after, facts } = saved;
  const { hash, text: written } = after;
  notes.push(...ends.said);
  return { path, file, indexed, hash, change: id, text: written, facts: facts(), forReview, notes };
}

interface Saving {
  text: string;
  lock: Lock | undefined;
  supersedes?: string | undefined;
}

export const NO_FOLDERS =
  "Notes in the root have no folders: tasks, plans and sessions need a project. Name one, or create it with its folder.";

/** Throws INVALID_FOLDER unless the folder is a standard one, `""`, or one that exists in the project. */
export function checkWritableFolder(root: string, project: string, folder: string): void {
  refuseRepositoryFile(folder);
  if (project === ROOT_PROJECT && folder !== "") throw new UserError("INVALID_FOLDER", NO_FOLDERS);
  const standard: readonly string[] = STANDARD_FOLDERS;
  const existing = listFolder(root, project).folders;
  if (folder === "" || matchNames([...standard, ...existing], standardFolder(folder)).length > 0) return;
  if (aliasOfFolder(gateOf(root), `${project}/${folder}`) !== undefined) return;
  const folders = [...new Set([...standard, ...existing])];
  const message = `Folder ${quoteName(folder)} does not exist in project ${quoteName(project)}. Use one of: ${listNames(folders, 30)}, or "".`;
  const suggestions = nearest(folder, folders).filter((one) => isTypo(folder, one));
  const details = { project, folder: escapeName(folder), suggestions };
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

/** Throws CONFLICT if the task no longer has the status that was read; without one, any passes. */
export function checkStatus(
  { path, facts: { status } }: Pick<Document, "path" | "facts">,
  expected: string | undefined,
): void {
  if (expected === undefined || expected === status) return;
  const now = status === null ? "has no status" : `is ${quoteName(status)}`;
  const message = `${quoteName(path)} ${now} now, not ${quoteName(expected)}. Decide again, then repeat the change with its status.`;
  throw new UserError("CONFLICT", message, { details: { path, status, expected_status: expected } });
}
