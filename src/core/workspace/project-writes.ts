import { localDate, localTime } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { MAX_OUTLINE_CHARS } from "../markdown/headings.ts";
import { type DocumentLocation, describeDocument } from "../notes/document.ts";
import { baseName, formatTaskNumber, parseTaskNumber, slugify } from "../notes/names.ts";
import { plainLine } from "../notes/plain-line.ts";
import { appendSession, renderSession, sessionFilename } from "../notes/session/file.ts";
import { tagsLeftHint } from "../notes/tags.ts";
import { changeTask, type TaskChanges } from "../notes/task/edit.ts";
import { type NewTask, renderTask, taskFilename } from "../notes/task/file.ts";
import { addNoteLine, lastNote } from "../notes/task/note-line.ts";
import type { TaskNamer } from "../notes/task/reference.ts";
import { setTaskStatus } from "../notes/task/status.ts";
import type { TaskStatus } from "../notes/task/statuses.ts";
import { openBoxes } from "../notes/task/task.ts";
import { attempt } from "../storage/fs-errors.ts";
import { personName } from "./change/claim.ts";
import { checkStatus, createDocument, saveDocument } from "./change/documents.ts";
import { findTask } from "./find/task.ts";
import { listTaskFiles } from "./find/task-files.ts";
import { moveDocuments } from "./move.ts";
import { type Document, readDocument, readIfThere } from "./read.ts";
import { circleAt, listTasks, namedParent, namerOf, nextNumber } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Creates a task under the next number, which no two processes get and no local branch has; `project` must be as findProject gives it.
 * If its notes are synced, it answers once other machines know the number; `unshared` says why they do not.
 */
export async function createTask(workspace: Workspace, project: string, task: NewTask) {
  const { sharing } = workspace;
  const created = await createHere(workspace, project, task);
  if (!sharing?.covers(project)) return { ...created, unshared: null };
  const unshared = await sharing.exchange(project);
  return { ...created, ...placeNow(workspace, created), unshared };
}

/** A machine that was faster has the number, and this task another one. */
function placeNow(
  { root }: Workspace,
  { project, path, text }: DocumentLocation & { path: string; text: string },
) {
  const isIt = (one: string) => attempt(() => readDocument(root, one).text) === text;
  const nameOf = (one: string) => baseName(one).replace(/^\d+/, "");
  const alike = () => listTaskFiles(root, project, ["tasks"]).filter((one) => nameOf(one) === nameOf(path));
  // A number is the highest when it is given.
  const now = isIt(path) ? path : alike().findLast(isIt);
  const number = now && parseTaskNumber(now);
  if (!number) return {};
  return { path: now, number, filename: baseName(now) };
}

async function createHere(workspace: Workspace, project: string, task: NewTask) {
  const least = await workspace.branches.nextNumber(project);
  const isNamed = (task.context?.dependencies ?? []).length > 0;
  const tasks = isNamed ? await listTasks(workspace, project, { archived: true }) : [];
  return workspace.locked(project, async (lock) => {
    const number = nextNumber(workspace, project, least);
    const filename = taskFilename(number, task.title);
    const name = { project, folder: "tasks", filename };
    const named = namedParent(workspace.root, project, task);
    const text = renderTask(named, namerOf(workspace, project, tasks));
    if (text.length > MAX_OUTLINE_CHARS) throw new UserError("INVALID_ARGUMENT", TOO_LONG);
    const saved = await createDocument(workspace, name, text, lock);
    const { task: facts } = saved.facts;
    const status = saved.forReview ? ("review" as const) : task.status;
    const dependencies = facts?.dependencies ?? [];
    return { ...saved, ...name, number: formatTaskNumber(number), dependencies, status };
  });
}

const TOO_LONG =
  "The task has over two million characters, and its steps would not be read that far. Put long texts into a document, and name it in related_files.";

interface StatusUpdate {
  task: string;
  /** Left out if there is only a note. */
  status?: TaskStatus | undefined;
  /** As it was last read. */
  expected_status?: string | undefined;
  agent?: string | undefined;
  /** Becomes a line in the task. */
  note?: string | undefined;
}

/**
 * Sets the status of a task, by number or file name, and adds a note; `previous` is null if it had none. Throws as findTask and
 * checkStatus do.
 */
export async function updateTaskStatus(
  workspace: Workspace,
  project: string,
  { task, status, expected_status, agent, note }: StatusUpdate,
  again: IsAgain = () => false,
) {
  const { isPerson, client } = workspace.history.actor();
  const own = isPerson ? await personName(workspace) : client;
  const writer = agent ?? (note === undefined ? undefined : own || undefined);
  return workspace.locked(project, async (lock) => {
    const document = readDocument(workspace.root, findTask(workspace.root, project, task));
    const { facts } = document;
    checkStatus(document, expected_status);
    const isAgain = note !== undefined && isLastNote(document, note, again);
    const line = isAgain ? undefined : note;
    const isSame = status === undefined || (note !== undefined && facts.status === status);
    const set = isSame ? document.text : setTaskStatus(document.text, status);
    const day = localDate(workspace.clock.now());
    const edited = line === undefined ? set : addNoteLine(set, { day, writer, note: line });
    const saved = await saveDocument(workspace, document, { text: edited, lock, agent });
    const made = saved.forReview ? "review" : (status ?? facts.status);
    const open = openBoxes(saved.text, saved.facts.bodyOffset);
    return {
      ...saved,
      folder: document.folder,
      filename: document.filename,
      previous: facts.status,
      status: made,
      changed: line !== undefined || made === null || setTaskStatus(document.text, made) !== document.text,
      open,
      isAgain,
    };
  });
}

function isLastNote({ path, text }: Pick<Document, "path" | "text">, note: string, again: IsAgain): boolean {
  return again({ place: `${path}#notes`, text: lastNote(text) ?? "", block: plainLine(note) });
}

/** Tells whether a block is the last one at a place, where the same session just put it. */
type IsAgain = (addition: { place: string; text: string; block: string }) => boolean;

/** Creates today's note, or appends to it with the time, what is not there `again`. `project` must be as findProject gives it. */
export function logSession(
  workspace: Workspace,
  project: string,
  { content, suffix }: { content: string; suffix?: string | undefined },
  again: IsAgain = () => false,
) {
  const now = workspace.clock.now();
  const date = localDate(now);
  const filename = sessionFilename(date, suffix);
  const name = { project, folder: "sessions", filename };
  return workspace.locked(project, async (lock) => {
    const note = readIfThere(workspace.root, name);
    const isAgain = again({ place: `${project}/${filename}`, text: note?.text ?? "", block: content });
    if (note === undefined) {
      const saved = await createDocument(workspace, name, renderSession(date, content), lock);
      return { ...saved, date, filename, action: "created" as const, isAgain };
    }
    const text = isAgain ? note.text : appendSession(note.text, content, localTime(now));
    const saved = await saveDocument(workspace, note, { text, lock });
    return { ...saved, date, filename, action: "appended" as const, isAgain };
  });
}

type TaskUpdate = TaskChanges & { task: string; agent?: string | undefined };
type NamedUpdate = TaskUpdate & { namer: TaskNamer };

/** Changes parts of a task, all of them or none; a new title renames its file. Throws as findTask and changeTask do. */
export async function updateTask(workspace: Workspace, project: string, update: TaskUpdate) {
  const document = readDocument(workspace.root, findTask(workspace.root, project, update.task));
  const mayUnblock = update.dependencies !== undefined || update.owner !== undefined;
  const list = async (archived: boolean) => (mayUnblock ? listTasks(workspace, project, { archived }) : []);
  const known = await list(true);
  const before = known.find(({ path }) => path === document.path);
  const namer = namerOf(workspace, project, known);
  const named = namedParent(workspace.root, project, update);
  const updated = await writeUpdate(workspace, document, { ...named, namer });
  const tasks = await list(false);
  const after = tasks.find(({ path }) => path === updated.path);
  const circle = update.dependencies === undefined ? null : circleAt(updated.path, tasks);
  return { ...updated, becameReady: before?.ready === false && after?.ready === true, circle };
}

async function writeUpdate(workspace: Workspace, document: Document, update: NamedUpdate) {
  const { changed, facts } = editTask(document, update);
  const filename = titledFilename(document.filename, facts.title);
  const to = document.path.slice(0, -document.filename.length) + filename;
  const isInPlace = !changed.includes("title") || to === document.path;
  if (isInPlace) return { ...(await replaceTask(workspace, document, update)), renameNote: null };
  try {
    return { ...(await moveTask(workspace, document, { to, update })), filename, renameNote: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const replaced = await replaceTask(workspace, document, update);
    return { ...replaced, renameNote: `The file keeps its name: ${error.message}` };
  }
}

function replaceTask(workspace: Workspace, { project }: Document, update: NamedUpdate) {
  return workspace.locked(project, async (lock) => {
    const document = readDocument(workspace.root, findTask(workspace.root, project, update.task));
    const { text, changed, lines, tagNote } = editTask(document, update);
    const saved = await saveDocument(workspace, document, { text, lock, agent: update.agent });
    return { ...saved, changed, lines, tagNote, filename: document.filename };
  });
}

/** The new name, the new text and the links to the task are one change, to be undone at once. */
async function moveTask(
  workspace: Workspace,
  before: Document,
  { to, update }: { to: string; update: NamedUpdate },
) {
  const { path: from } = before;
  let edit = editTask(before, update);
  const text = () => {
    // Read again, under the lock.
    edit = editTask(readDocument(workspace.root, before.path), update);
    return edit.text;
  };
  const { notes } = await moveDocuments(workspace, [{ from, to }], { text, agent: update.agent });
  return { ...edit, notes, path: to, indexed: await workspace.index.syncFile(to) };
}

function editTask(document: Document, { task: _, agent: __, namer, ...changes }: NamedUpdate) {
  const edit = changeTask(document.text, changes, namer);
  const tagNote = tagsLeftHint(edit.text, changes.tags);
  return { ...edit, tagNote, facts: describeDocument(document, edit.text) };
}

/** `sub/004-new-title.md` for `sub/004-old-title.md`. */
function titledFilename(filename: string, title: string): string {
  const number = parseTaskNumber(filename);
  const folder = filename.slice(0, filename.length - baseName(filename).length);
  return `${folder}${number === null ? `${slugify(title)}.md` : taskFilename(number, title)}`;
}
