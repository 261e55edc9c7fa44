import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { pathKey, withMarkdownExtension } from "../lib/file-names.ts";
import { pauses } from "../lib/pauses.ts";
import {
  type DocumentLocation,
  documentPath,
  homeOf,
  isTaskPath,
  locateDocument,
} from "../notes/document.ts";
import {
  ARCHIVE,
  baseName,
  checkNewFilename,
  formatTaskNumber,
  parseTaskNumber,
  projectOf,
  standardFolder,
  withTaskNumber,
} from "../notes/names.ts";
import { nextTaskNumber } from "../notes/task/file.ts";
import { fileExists } from "../storage/change-file.ts";
import { foreignGraph } from "../storage/foreign-graph.ts";
import { gateOf } from "../storage/path-gate.ts";
import { checkWritableFolder } from "./change/documents.ts";
import { newPathOnDisk } from "./find/folder.ts";

/** A document and its new path. */
export interface DocumentMove {
  from: string;
  to: string;
}

/** What changes in a document's place; a project as findProject gives it. */
export type Destination = { [Part in keyof DocumentLocation]?: string | undefined };

/** The new path of a document. The archive has the same folders as the project. A task keeps its number. Throws READ_ONLY for a name in a graph of another program. */
export function newPathOf(root: string, from: DocumentLocation & { path: string }, to: Destination): string {
  checkGraph(root, from, to.filename ?? from.filename);
  const project = to.project ?? from.project;
  // Not the way by the archive, which has the same folders.
  if (to.folder === undefined && project === from.project && homeOf(from).folder === from.folder)
    return (
      from.path.slice(0, -from.filename.length) +
      (to.filename === undefined ? from.filename : newFilename(to.filename, from.folder, from))
    );
  const home = homeOf(from);
  const [first = "", ...inner] = (to.folder ?? from.folder).replace(/\/$/, "").split("/");
  const isArchived = standardFolder(first) === ARCHIVE;
  const given = isArchived ? inner.join("/") || undefined : to.folder?.replace(/\/$/, "");
  const folder = given ?? home.folder;
  const filename = to.filename === undefined ? home.filename : newFilename(to.filename, folder, home);
  const path = documentPath({ project, folder, filename });
  return newPathOnDisk(root, isArchived ? `${project}/${ARCHIVE}/${path.slice(project.length + 1)}` : path);
}

/** Links of such a graph name a page by rules that only its program knows. */
function checkGraph(root: string, { project, filename }: DocumentLocation, renamed: string): void {
  if (withMarkdownExtension(baseName(renamed)) === baseName(filename)) return;
  const graph = foreignGraph(root, project);
  if (graph === null) return;
  const message = `${quoteName(project)} is a graph of ${graph}, which alone knows all links to a page: rename it there.`;
  throw new UserError("READ_ONLY", message, { details: { project } });
}

function newFilename(given: string, folder: string, home: DocumentLocation): string {
  checkNewFilename(given);
  const filename = withMarkdownExtension(given);
  const number = [folder, home.folder].every((one) => standardFolder(one) === "tasks")
    ? parseTaskNumber(home.filename)
    : null;
  if (number === null || parseTaskNumber(filename) !== null) return filename;
  const name = baseName(filename);
  return `${filename.slice(0, -name.length)}${number}-${name}`;
}

/** Throws unless documents may get these new paths; `paths` are those of all documents now. */
export async function checkMoves(
  root: string,
  moves: readonly DocumentMove[],
  paths: readonly string[],
): Promise<void> {
  const pause = pauses();
  const leaving = new Set(moves.map(({ from }) => from));
  const present = new Map<string, string>();
  for (const path of paths) if (!leaving.has(path)) present.set(pathKey(path), path);
  const leavingKeys = new Set([...leaving].map(pathKey));
  for (const { from, to } of moves) {
    await pause();
    if (from === to) throw sameLocation(to);
    checkPlace(root, from, to);
    const twin = present.get(pathKey(to));
    const isTaken = !leavingKeys.has(pathKey(to)) && gateOf(root).resolve(to) !== undefined;
    if (twin !== undefined || isTaken) throw fileExists(to, baseName(twin ?? to), "file");
    checkNumber({ from, to }, present);
    present.set(pathKey(to), to);
  }
}

/** A name that was allowed so far stays allowed. */
function checkPlace(root: string, from: string, to: string): void {
  const location = locateDocument(to);
  if (location === null) {
    const message = `${quoteName(to)} cannot be the path of a document. Use a name such as 'notes.md', in a folder of a project.`;
    throw new UserError("INVALID_PATH", message, { details: { path: escapeName(to) } });
  }
  const { project, folder, filename } = location;
  if (baseName(from) !== baseName(to)) checkNewFilename(filename);
  if (folder !== ARCHIVE) checkWritableFolder(root, project, folder);
}

function sameLocation(path: string): UserError {
  const message = `${quoteName(path)} has this place already. Give another folder, filename or project.`;
  return new UserError("INVALID_ARGUMENT", message, { details: { path } });
}

/** Two tasks with one number could not be told apart. */
function checkNumber({ from, to }: DocumentMove, present: ReadonlyMap<string, string>): void {
  const number = taskNumber(to);
  const isKept = projectOf(from) === projectOf(to) && taskNumber(from) === number;
  if (number === null || isKept) return;
  const project = projectOf(to);
  const tasks = [...present.values()].filter((path) => projectOf(path) === project && isTaskPath(path));
  const holder = tasks.find((path) => taskNumber(path) === number);
  if (holder === undefined) return;
  const free = formatTaskNumber(nextTaskNumber(projectOf(from) === project ? [...tasks, from] : tasks));
  const name = withTaskNumber(baseName(to), free);
  const message = `Number ${number} is taken by ${quoteName(holder)}. The next free one is ${free}: use the filename ${quoteName(name)}.`;
  throw new UserError("FILE_EXISTS", message, { details: { path: holder, suggestions: [name] } });
}

function taskNumber(path: string): number | null {
  const number = isTaskPath(path) ? parseTaskNumber(path) : null;
  return number === null ? null : Number(number);
}
