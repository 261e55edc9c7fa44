import { UserError } from "../lib/errors.ts";
import { describeDocument, documentPath } from "../notes/document.ts";
import { baseName, parseTaskNumber, slugify } from "../notes/names.ts";
import { changeTask, type TaskChanges } from "../notes/task-edit.ts";
import { keepClaim } from "./claims.ts";
import { moveDocuments } from "./move.ts";
import { findTask, listTasks } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";
import { replaceDocument } from "./write.ts";

type TaskUpdate = TaskChanges & { task: string; agent?: string | undefined };

/** Changes parts of a task, all of them or none; a new title renames its file. Throws as findTask and changeTask do. */
export async function updateTask(workspace: Workspace, project: string, update: TaskUpdate) {
  const updated = await writeChanges(workspace, project, update);
  const { folder, filename, path, facts, changed } = updated;
  if (!changed.includes("title")) return { ...updated, renameNote: null };
  const renamed = { project, folder, filename: titledFilename(filename, facts.title) };
  const to = documentPath(renamed);
  if (to === path) return { ...updated, renameNote: null };
  try {
    await moveDocuments(workspace, [{ from: path, to }]);
    return { ...updated, filename: renamed.filename, path: to, renameNote: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...updated, renameNote: `The file keeps its name: ${error.message}` };
  }
}

function writeChanges(workspace: Workspace, project: string, { task, agent, ...changes }: TaskUpdate) {
  return workspace.locked(project, async (lock) => {
    const document = workspace.read(findTask(workspace.root, project, task));
    const { folder, filename } = document;
    const isReady = async () =>
      (await listTasks(workspace, project)).some(({ path, ready }) => path === document.path && ready);
    const mayUnblock = changes.dependencies !== undefined || changes.owner !== undefined;
    const wasReady = !mayUnblock || (await isReady());
    const edit = changeTask(document.text, changes);
    const { text, note } = keepClaim(workspace, document, { text: edit.text, agent });
    const saved = await replaceDocument(workspace, document, { text, lock });
    const facts = describeDocument(document, text);
    return {
      ...saved,
      folder,
      filename,
      facts,
      changed: edit.changed,
      note,
      becameReady: !wasReady && (await isReady()),
    };
  });
}

/** `sub/004-new-title.md` for `sub/004-old-title.md`. */
function titledFilename(filename: string, title: string): string {
  const number = parseTaskNumber(filename);
  const folder = filename.slice(0, filename.length - baseName(filename).length);
  return `${folder}${number === null ? "" : `${number}-`}${slugify(title)}.md`;
}
