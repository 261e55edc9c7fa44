import { isAbsolute, join } from "node:path";
import { withoutMarkdownExtension } from "../../core/lib/file-names.ts";
import { isTask, locateDocument } from "../../core/notes/document.ts";
import { baseName } from "../../core/notes/names.ts";
import { realPath, repositoryOf } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { partsBelow } from "../../core/storage/path-gate.ts";
import { matchName } from "../../core/workspace/find/entries.ts";
import { taskFinder } from "../../core/workspace/find/task.ts";
import { namerOf } from "../../core/workspace/tasks.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import type { SessionDay } from "../transcripts/session-days.ts";
import type { TaskUse } from "../transcripts/task-use.ts";

/** Where a session ran; folders are absolute. */
export interface SessionPlace {
  project: string;
  folder: string;
  /** The user's. */
  home: string;
}

/** The documents and other files that a session changed, without its tasks. */
export function changedFiles(
  { root }: Workspace,
  { files }: SessionDay,
  { folder, home }: SessionPlace,
): { documents: string[]; files: string[] } {
  const base = repositoryOf(folder) ?? folder;
  const known = { documents: new Set<string>(), files: new Set<string>() };
  for (const file of files) {
    const place = isAbsolute(file) ? file : join(folder, file);
    const path = below(root, place) ?? "";
    const location = locateDocument(path);
    if (location === null) known.files.add(below(base, place) ?? homePath(home, place) ?? baseName(place));
    else if (!isTask(location)) known.documents.add(`[[${withoutMarkdownExtension(path)}]]`);
  }
  return { documents: [...known.documents], files: [...known.files] };
}

function homePath(home: string, file: string): string | undefined {
  const path = below(home, file);
  return path && `~/${path}`;
}

/** The path of a file in a folder; undefined for one that is elsewhere. */
function below(folder: string, file: string): string | undefined {
  const parts = partsBelow(folder, file) ?? partsBelow(realPath(folder), realPath(file));
  return parts === undefined || parts.length === 0 ? undefined : parts.join("/");
}

/** Links to the tasks of this workspace that a session read or changed, with what it did; others are left out. */
export function usedTasks(
  workspace: Workspace,
  { files: _, tasks }: SessionDay,
  { project }: SessionPlace,
): string[] {
  const uses = new Map<string, string>();
  for (const used of tasks) {
    const link = attempt(() => taskLink(workspace, used, project));
    // What was read first may have been changed later.
    if (link !== undefined && (used.use !== "read" || !uses.has(link))) uses.set(link, used.use);
  }
  return [...uses].map(([link, use]) => `${link} (${use})`);
}

/** Throws for a task that is not there. */
function taskLink(workspace: Workspace, { project: named, task, use }: TaskUse, own: string): string {
  const path = isAbsolute(task) ? below(workspace.root, task) : task;
  const location = path === undefined ? null : locateDocument(path);
  const projects = workspace.projectNames();
  const project = matchName(projects, named ?? location?.project ?? "") ?? own;
  const name = use === "created" ? namerOf(workspace, project)(task) : (path ?? null);
  if (name === null) throw new Error("no task of this workspace");
  const found = withoutMarkdownExtension(taskFinder(workspace.root, project)(name));
  return `[[${project === own ? baseName(found) : found}]]`;
}
