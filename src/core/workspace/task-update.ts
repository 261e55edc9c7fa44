import { UserError } from "../lib/errors.ts";
import { describeDocument } from "../notes/document.ts";
import { baseName, parseTaskNumber, slugify } from "../notes/names.ts";
import { tagsLeftHint } from "../notes/tags.ts";
import { changeTask, type TaskChanges } from "../notes/task/edit.ts";
import { taskFilename } from "../notes/task/file.ts";
import type { TaskNamer } from "../notes/task/reference.ts";
import { saveDocument } from "./change/documents.ts";
import { findTask } from "./find/task.ts";
import { moveDocuments } from "./move.ts";
import { type Document, readDocument } from "./read.ts";
import { circleAt, listTasks, namerOf } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";

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
  const updated = await writeUpdate(workspace, document, { ...update, namer });
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
