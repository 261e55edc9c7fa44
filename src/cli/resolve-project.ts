import { relative } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { listFolder } from "../storage/list.ts";
import { projectNameOf, projectOf } from "../workspace/current-project.ts";
import { findProject } from "../workspace/locate.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { CommandContext } from "./command.ts";
import { quoted } from "./terminal.ts";

/** Opens the workspace for `use`, and saves its index afterwards. */
export async function withWorkspace<T>(
  { config, clock, log }: CommandContext,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const workspace = openWorkspace({ config, clock, log });
  try {
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}

/** The named project, or the one for the current folder. Throws PROJECT_NOT_FOUND, which suggests `option` to name one. */
export function projectHere(
  context: CommandContext,
  named: string | undefined,
  option = "--project",
): string {
  const project = projectHereIfAny(context, named);
  if (project !== undefined) return project;
  const { config, machine, program } = context;
  const { name, file } = projectNameOf(config.root, machine.folder);
  const reason =
    file === undefined
      ? `Which project? None is named ${quoteName(name)} like this folder.`
      : `${escapeName(relative(machine.folder, file))} names project ${quoteName(name)}, which does not exist.`;
  const names = listFolder(config.root, "").folders;
  const [first] = names;
  const next =
    first === undefined
      ? "The workspace has no project yet. Create it:"
      : `Projects: ${listNames(names, 10)}. Use ${option} ${quoted(first)}, or create it:`;
  const message = `${reason} ${next} ${program} init ${quoted(name || "my-project")}`;
  throw new UserError("PROJECT_NOT_FOUND", message, { details: { project: name } });
}

/** Like `projectHere`, but undefined if no project is named and the folder belongs to none. */
export function projectHereIfAny(
  { config, machine }: CommandContext,
  named: string | undefined,
): string | undefined {
  if (named !== undefined) return findProject(config.root, named);
  return projectOf(config.root, machine.folder);
}

/** The message for a workspace without projects; undefined if there are some. */
export function emptyWorkspace({ config, program }: CommandContext): string | undefined {
  if (listFolder(config.root, "").folders.length > 0) return undefined;
  return `There is no project in ${config.root} yet.\nCreate one: ${program} init my-project. Or try an example: ${program} demo\n`;
}
