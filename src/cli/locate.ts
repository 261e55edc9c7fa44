import { isStandardFolder, projectOf } from "../core/notes/names.ts";
import { projectNames } from "../core/storage/list.ts";
import { namesIn, ownPath, pathFrom } from "../core/workspace/find/own-path.ts";
import type { CommandContext } from "./command.ts";
import { projectHere, projectHereIfAny } from "./resolve-project.ts";

interface NameHere {
  /** If the path does not begin with it. */
  project?: string;
  path: string;
}

/** A document as typed: its path begins with its project, unless `--project` names one, else it is in the current project. */
export function nameHere(context: CommandContext, word: string): NameHere {
  const { root } = context.config;
  const named = context.options.text("project");
  if (named !== undefined) return { project: projectHere(context, named), path: ownPath(root, word) };
  const here = projectHereIfAny(context, undefined);
  const path = pathFrom(root, () => here, word);
  const first = projectOf(path);
  const isFolder = isStandardFolder(first) && !projectNames(root).includes(first);
  const project = projectHere(context, isFolder || first === path ? undefined : first);
  return { path: `${project}/${namesIn(root, project, path)[0]}` };
}

/** A task for a tool: its project, and its number, name or path in there. */
export function taskHere(context: CommandContext, word: string): { project: string; task: string } {
  const { project, path } = nameHere(context, word);
  return project === undefined
    ? { project: projectOf(path), task: path.slice(path.indexOf("/") + 1) }
    : { project, task: path };
}
