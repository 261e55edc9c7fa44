import { type NextStep, UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { withMarkdownExtension } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import { type DocumentLocation, documentPath } from "../../notes/document.ts";
import { matchesHash, shortHash } from "../../notes/hash.ts";
import { checkNewFilename, STANDARD_FOLDERS, standardFolder } from "../../notes/names.ts";
import { createFile, replaceRead } from "../../storage/atomic-write.ts";
import { documentChanged } from "../../storage/change-file.ts";
import { guarded } from "../../storage/fs-errors.ts";
import { listFolder } from "../../storage/list.ts";
import type { Lock } from "../../storage/locks.ts";
import { type Kind, openNew } from "../../storage/new-file.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { contentOf, type FileContent, writtenFile } from "../../storage/read.ts";
import { matchNames } from "../find/entries.ts";
import { newPathOnDisk } from "../find/folder.ts";
import type { Document } from "../read.ts";
import type { Workspace } from "../workspace.ts";
import { type Allowed, keepRules, type Terms } from "./rules.ts";

/** A document that was just written, and whether search finds it already. */
export interface WriteResult {
  /** Workspace-relative. */
  path: string;
  /** Absolute. */
  file: string;
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  indexed: boolean;
}

/** What was written, as the rules let it happen. */
export type Written = WriteResult & Pick<Allowed, "forReview" | "notes"> & { text: string };

/**
 * Creates a document; `project` must be as findProject gives it. Never overwrites: throws FILE_EXISTS if the name is taken,
 * INVALID_FOLDER or INVALID_PATH for a bad place, INVALID_ARGUMENT if it is too large for search.
 * `lock` is the one under which the name was chosen.
 */
export async function createDocument(
  workspace: Workspace,
  given: DocumentLocation,
  text: string,
  lock?: Lock,
): Promise<Written> {
  if (lock === undefined) await workspace.history.recover([given.project]);
  checkNewFilename(given.filename);
  checkWritableFolder(workspace.root, given.project, given.folder);
  const filename = withMarkdownExtension(given.filename);
  checkNewFilename(filename);
  const newPath = newPathOnDisk(workspace.root, documentPath({ ...given, filename }));
  const wanted = { path: newPath, before: null, after: contentOf(Buffer.from(text)) };
  const { change, ...allowed } = keepRules(workspace, wanted, {});
  const { after } = change;
  const place = openNew(gateOf(workspace.root), newPath);
  const { path, file, at, taken } = place;
  try {
    if (taken !== undefined) throw fileExists(path, taken.name, taken.kind);
    await workspace.history.recorded({ file, before: null, after }, async () => {
      if (!(await guarded("create", path, () => createFile(at, after.bytes, { lock }))))
        throw fileExists(path, filename, "file");
    });
  } finally {
    place.close();
  }
  return { ...(await written(workspace, { path, file }, after)), ...allowed, text: after.text };
}

/** Indexes a document from the content that was just written. */
async function written(
  workspace: Workspace,
  { path, file }: Pick<WriteResult, "path" | "file">,
  content: FileContent,
): Promise<WriteResult> {
  const indexed = await workspace.index.syncFile(path, writtenFile(file, content));
  return { path, file, hash: content.hash, indexed };
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

export function fileExists(path: string, taken: string, kind: Kind): UserError {
  const other = path.endsWith(`/${taken}`)
    ? ""
    : ` (as ${quoteName(taken)}, which some disks cannot tell from it)`;
  if (kind === "file" || kind === "link") {
    const message = `File ${quoteName(path)} already exists${other}.`;
    return new UserError("FILE_EXISTS", message, { details: { path }, next: "change-existing" });
  }
  const message = `The name ${quoteName(path)} is taken${other}: it is ${KINDS[kind]}. Choose another name, or ask the user to remove it.`;
  return new UserError("FILE_EXISTS", message, { details: { path } });
}

const KINDS: Record<Exclude<Kind, "file" | "link">, string> = {
  folder: "a folder",
  dangling: "a broken link",
  other: "not a regular file",
};

/**
 * Replaces the text of a document that was read under the project's lock. Throws CONFLICT if the file is not valid UTF-8, which
 * a change could damage, or if a program without the lock changed it meanwhile.
 */
export async function replaceDocument(
  workspace: Workspace,
  document: Document,
  { text, lock, ...terms }: { text: string; lock: Lock } & Terms,
): Promise<Written> {
  const { path, file, bytes: before } = document;
  const wanted = { path, before: document, after: contentOf(Buffer.from(text)) };
  const { change, ...allowed } = keepRules(workspace, wanted, terms);
  const { after } = change;
  const answer = { ...allowed, text: after.text };
  if (after.bytes.equals(before))
    return {
      path,
      file,
      hash: document.hash,
      indexed: await workspace.index.syncFile(path, document),
      ...answer,
    };
  const changed = (now?: Buffer) => documentChanged(path, now);
  await workspace.history.recorded({ file, before: document, after }, (ready) =>
    replaceRead({ path, file, before, after: after.bytes, changed, lock, ready }),
  );
  return { ...(await written(workspace, document, after)), ...answer };
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
