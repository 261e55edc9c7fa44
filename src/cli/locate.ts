import { isAbsolute, relative } from "node:path";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { withMarkdownExtension } from "../lib/file-names.ts";
import { type DocumentLocation, documentPath, locateDocument } from "../notes/document.ts";
import { addressOf } from "../notes/link/address.ts";
import { STANDARD_FOLDERS } from "../notes/names.ts";
import { realPath } from "../storage/folders.ts";
import { listFolder, projectNames } from "../storage/list.ts";
import { contains } from "../storage/user-file.ts";
import { findTask } from "../workspace/tasks.ts";
import type { CommandContext } from "./command.ts";
import { projectHere, projectHereIfAny } from "./resolve-project.ts";

/**
 * A document or task as typed, without its heading: a path of the workspace for an absolute one and for a `vibe://` address, else
 * unchanged.
 */
export function typedPath({ config: { root } }: CommandContext, word: string): string {
  const typed = word.replace(/(\.md)#.*$/is, "$1");
  if (/^vibe:/i.test(typed)) {
    const address = addressOf(typed);
    return address.kind === "document" ? documentPath(address) : typed;
  }
  if (!isAbsolute(typed)) return typed.replace(/^\.\//, "");
  const base = [root, realPath(root)].find((folder) => contains(folder, typed));
  return base === undefined ? typed.replace(/^\/+/, "") : relative(base, typed).replaceAll("\\", "/");
}

/** Accepts a path that starts with a project, a path in this folder's project, or a task's number or name. */
export function locate(context: CommandContext, document: string): DocumentLocation {
  const { root } = context.config;
  const path = typedPath(context, document);
  const { project, rest } = splitProject(context, path);
  const isTask =
    !path.includes("/") && (/^#?\d{1,9}$/.test(path) || !hasDocument(listFolder(root, project).files, path));
  return isTask ? findTask(root, project, path) : location(context, project, rest);
}

/** A task for a tool: its project, and its number, name or path in there. */
export function taskHere(context: CommandContext, word: string): { project: string; task: string } {
  const { project, rest } = splitProject(context, typedPath(context, word));
  return { project, task: rest };
}

/** The project that a path starts with, unless `--project` names one, else the current one. */
function splitProject(context: CommandContext, path: string): { project: string; rest: string } {
  const named = context.options.text("project");
  const first = named === undefined ? projectOfPath(context, path) : undefined;
  const project = first ?? projectHere(context, named);
  // A folder may have the project's name.
  const isFolder = () => listFolder(context.config.root, project).folders.includes(project);
  const isFirst = first !== undefined || (path.startsWith(`${project}/`) && !isFolder());
  return { project, rest: isFirst ? path.slice(path.indexOf("/") + 1) : path };
}

/** Any first folder is taken for a project if this folder has none. */
function projectOfPath(context: CommandContext, path: string): string | undefined {
  const [first = "", ...rest] = path.split("/");
  if (rest.length === 0) return undefined;
  if (projectNames(context.config.root).includes(first)) return first;
  const isFolder = STANDARD_FOLDERS.some((folder) => folder === first);
  if (isFolder || projectHereIfAny(context, undefined) !== undefined) return undefined;
  return projectHere(context, first);
}

function location({ program }: CommandContext, project: string, path: string): DocumentLocation {
  const found = locateDocument(`${project}/${withMarkdownExtension(path)}`);
  if (found !== null) return found;
  const message = `${quoteName(path)} is not the path of a document. \`${program} projects\` lists them.`;
  throw new UserError("FILE_NOT_FOUND", message);
}

/** Whether one of the files goes by this name, with or without its ending. */
export function hasDocument(files: readonly string[], name: string): boolean {
  return files.includes(name) || files.includes(`${name}.md`);
}
