import { UsageError } from "../../config/options.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { initProjectTool } from "../../mcp/tools/init-project.ts";
import { isCommonFolder } from "../../storage/folders.ts";
import { projectNameOf } from "../../workspace/folder-project.ts";
import { planLink, writeLink } from "../../workspace/project-marker.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHere } from "../resolve-project.ts";
import { confirm, oneLine, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, machine, options, program, terminal, words } = context;
  const [name] = words;
  if (name === undefined) {
    const likely = projectNameOf(config.root, machine.folder, machine.home)?.name ?? "my-project";
    throw new UsageError(`init needs a project name, for example: ${program} init ${quoted(likely)}`);
  }
  if (options.has("link") && isCommonFolder(machine.folder, machine.home))
    throw new UsageError("--link needs a project's folder: change to it first");
  const created = await create(context, name);
  const project = created?.project ?? projectHere(context, name);
  if (created !== null && !options.has("json"))
    terminal.stdout.write(`Created ${oneLine(created.absolute_path)}\n`);
  const linked = (await offerLink(context, project)) ?? null;
  const next = `Next: ${program} new "Add login" --project ${quoted(project)}\n`;
  print(context, { ...(created ?? { success: true, project }), linked }, next);
  return 0;
}

/** Null if the project exists already, which is fine with --link. */
async function create(context: CommandContext, project: string) {
  const { options, program } = context;
  try {
    return await callTool(context, initProjectTool, { args: { project } });
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "PROJECT_EXISTS") throw error;
    if (options.has("link")) return null;
    const message = `Project ${quoteName(project)} already exists. Link this folder to it: ${program} init ${quoted(project)} --link`;
    throw new UserError("PROJECT_EXISTS", message, { details: { project } });
  }
}

/** Writes the line with --link or after a yes; returns the path of the file that has it, for people. */
async function offerLink(context: CommandContext, project: string): Promise<string | undefined> {
  const { config, machine, options, program, terminal } = context;
  const plan = planLink(config.root, machine);
  if (plan === undefined) return undefined;
  const [shown, line] = [oneLine(plan.shown), `vibe: ${oneLine(project)}`];
  const say = (text: string) => void (options.has("json") || terminal.stdout.write(text));
  if (plan.current === project) {
    say(`${shown} names it already.\n`);
    return plan.shown;
  }
  const replaces = plan.current === undefined ? "" : `, replacing \`vibe: ${oneLine(plan.current)}\``;
  const question = `Write \`${line}\` into ${shown}${replaces}, so that agents find the project? [y/N] `;
  if (!options.has("link") && !(await confirm(context, question))) {
    say(`Link this folder to it: ${program} init ${quoted(project)} --link\n`);
    return undefined;
  }
  await writeLink(plan, project);
  say(`Wrote \`${line}\` into ${shown}${replaces}\n`);
  return plan.shown;
}
