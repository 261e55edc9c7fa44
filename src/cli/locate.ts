import { STANDARD_FOLDERS, standardFolder } from "../notes/names.ts";
import { listFolder, projectNames } from "../storage/list.ts";
import type { DocumentName } from "../workspace/find/document.ts";
import { matchName, matchNames } from "../workspace/find/entries.ts";
import { firstPart, ownPath, pathInProject } from "../workspace/find/own-path.ts";
import type { CommandContext } from "./command.ts";
import { projectHere, projectHereIfAny } from "./resolve-project.ts";

/** A document as typed: a path that starts with its project, unless `--project` names one, else one in the current project. */
export function nameHere(context: CommandContext, word: string): DocumentName {
  const path = ownPath(context.config.root, word);
  const named = context.options.text("project");
  const first = named === undefined ? projectOfPath(context, path) : undefined;
  return first === undefined
    ? { project: projectHere(context, named), path }
    : { path: `${first}/${pathInProject(first, path)}` };
}

/** A task for a tool: its project, and its number, name or path in there. */
export function taskHere(context: CommandContext, word: string): { project: string; task: string } {
  const { project, path = "" } = nameHere(context, word);
  return { project: project ?? firstPart(path), task: path };
}

/** The project that a path starts with. A folder of the current project goes before a project that is spelled otherwise. */
function projectOfPath(context: CommandContext, path: string): string | undefined {
  const { root } = context.config;
  const first = firstPart(path);
  const names = projectNames(root);
  if (first === path) return undefined;
  if (names.includes(first)) return first;
  const here = projectHereIfAny(context, undefined);
  const folders = [...STANDARD_FOLDERS, ...(here === undefined ? [] : listFolder(root, here).folders)];
  if (matchNames(folders, standardFolder(first)).length > 0) return undefined;
  return here === undefined ? projectHere(context, first) : matchName(names, first);
}
