import { relative } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import type { CommandContext } from "./command.ts";
import { quoted } from "./paint.ts";

/**
 * The project of a command: the one that was named, else the one of the folder it runs in. Throws PROJECT_NOT_FOUND, which
 * says by `way` how to name one.
 */
export async function projectHere(
  context: CommandContext,
  named: string | undefined,
  way = (project: string) => `--project ${project}`,
): Promise<string> {
  const { config, folder } = context;
  if (named !== undefined) return (await import("../workspace/locate.ts")).findProject(config.root, named);
  const { likelyName, likelyProject } = await import("../workspace/current-project.ts");
  const project = likelyProject(config.root, folder);
  if (project !== undefined) return project;
  const likely = likelyName(config.root, folder);
  throw new UserError("PROJECT_NOT_FOUND", await noProject(context, { ...likely, way }), {
    details: { project: likely.name },
  });
}

/** The same, undefined where no project is named and the folder belongs to none. */
export async function projectHereIfAny(
  context: CommandContext,
  named: string | undefined,
): Promise<string | undefined> {
  if (named !== undefined) return projectHere(context, named);
  const { likelyProject } = await import("../workspace/current-project.ts");
  return likelyProject(context.config.root, context.folder);
}

interface Unknown {
  name: string;
  /** The absolute file that names it. */
  file: string | undefined;
  way: (project: string) => string;
}

async function noProject(context: CommandContext, { name, file, way }: Unknown): Promise<string> {
  const { config, folder, program } = context;
  const { listFolder } = await import("../files/list.ts");
  const names = listFolder(config.root, "").folders;
  const reason =
    file === undefined
      ? `No project is named, and none is called ${quoteName(name)} as this folder is.`
      : `${escapeName(relative(folder, file))} names project ${quoteName(name)}, which does not exist.`;
  const create = `${program} init ${quoted(name || "my-project")}`;
  const [first] = names;
  if (first === undefined) return `${reason} The workspace has no project yet. Create it: ${create}`;
  return `${reason} Projects: ${listNames(names, 10)}. Name one: ${way(quoted(first))}. Or create it: ${create}`;
}

/** What to say where there is no project at all; undefined where there is one. */
export async function emptyWorkspace({ config, program }: CommandContext): Promise<string | undefined> {
  const { listFolder } = await import("../files/list.ts");
  if (listFolder(config.root, "").folders.length > 0) return undefined;
  return `There is no project in ${config.root} yet.\nCreate one: ${program} init my-project. Or try an example: ${program} demo\n`;
}
