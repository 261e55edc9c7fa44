import { UsageError } from "../config.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { agrees } from "./ask.ts";
import { callTool } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { projectHere } from "./here.ts";
import { JSON_OPTION } from "./options.ts";
import { asJson, oneLine, quoted } from "./paint.ts";

export const initCommand: Command = {
  name: "init",
  summary: "Create a project, and link this folder to it so that agents find it.",
  words: [{ name: "project", help: "Its name, e.g. payments-api." }],
  options: [
    {
      flag: "link",
      help: "Write `vibe: <project>` into AGENTS.md or CLAUDE.md of this repository; also for a project that exists.",
    },
    JSON_OPTION,
  ],
  example: "init payments-api --link",
  run: async (context) => {
    const { options, terminal, program } = context;
    const name = context.words[0];
    if (name === undefined) throw await noName(context);
    const created = await create(context, name);
    const project = created?.project ?? (await projectHere(context, name));
    if (!options.has("json"))
      terminal.stdout.write(created === null ? "" : `Created ${oneLine(created.absolute_path)}\n`);
    const link = await offerLink(context, project);
    if (options.has("json")) {
      terminal.stdout.write(asJson({ ...(created ?? { success: true, project }), linked: link ?? null }));
      return 0;
    }
    terminal.stdout.write(`Next: ${program} new "Add login" --project ${quoted(project)}\n`);
    return 0;
  },
};

/** Null when it exists already, which is fine for whoever only wants the link. */
async function create(context: CommandContext, project: string) {
  const { initProjectTool } = await import("../tools/init-project.ts");
  try {
    return await callTool(context, initProjectTool, { args: { project } });
  } catch (error) {
    const isThere = error instanceof UserError && error.code === "PROJECT_EXISTS";
    if (isThere && context.options.has("link")) return null;
    throw isThere ? existsAlready(context, project) : error;
  }
}

function existsAlready({ program }: CommandContext, project: string): UserError {
  const message = `Project ${quoteName(project)} already exists. Link this folder to it: ${program} init ${quoted(project)} --link`;
  return new UserError("PROJECT_EXISTS", message, { details: { project } });
}

/** Writes the line when that was asked for, or agreed to on a terminal; answers the file that has it, as shown here. */
async function offerLink(context: CommandContext, project: string): Promise<string | undefined> {
  const { config, folder, options, program, terminal } = context;
  const { planLink, writeLink } = await import("../workspace/link.ts");
  const plan = planLink(config.root, { folder, home: context.machine().home });
  if (plan === undefined) return undefined;
  const [shown, line] = [oneLine(plan.shown), `vibe: ${oneLine(project)}`];
  const say = (text: string) => {
    if (!options.has("json")) terminal.stdout.write(text);
  };
  if (plan.current === project) {
    say(`${shown} names it already.\n`);
    return plan.shown;
  }
  const replaces = plan.current === undefined ? "" : ` in the place of \`vibe: ${oneLine(plan.current)}\``;
  const question = `Write \`${line}\` into ${shown}${replaces}, so that agents find the project? [y/N] `;
  if (!options.has("link") && !(await agrees(context, question))) {
    say(`Link this folder to it: ${program} init ${quoted(project)} --link\n`);
    return undefined;
  }
  await writeLink(plan, project);
  say(`Wrote \`${line}\` into ${shown}${replaces}\n`);
  return plan.shown;
}

async function noName({ config, folder, program }: CommandContext): Promise<UsageError> {
  const { likelyName } = await import("../workspace/current-project.ts");
  const { name } = likelyName(config.root, folder);
  return new UsageError(
    `init needs a name for the project, for example: ${program} init ${quoted(name || "my-project")}`,
  );
}
