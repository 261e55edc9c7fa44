import { resolveConfig } from "../../config/options.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { projectLine } from "../../notes/project-marker.ts";
import { type Carried, carryProject, planCarry } from "../../workspace/carry.ts";
import { projectNameOf } from "../../workspace/folder-project.ts";
import { planLink, writeLink } from "../../workspace/project-marker.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { type InRepo, presentInRepo } from "../in-repo.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { confirm, oneLine, print, quoted, say } from "../terminal.ts";

const MAX_SHOWN = 20;

type Direction = "in" | "out";

/** `move-in`: a project comes from the person's workspace into the repository. */
export function moveIn(context: CommandContext): Promise<number> {
  return run(context, "in");
}

/** `move-out`: the way back. */
export function moveOut(context: CommandContext): Promise<number> {
  return run(context, "out");
}

async function run(context: CommandContext, direction: Direction): Promise<number> {
  if (context.config.readOnly) throw readOnlyError();
  const inside = presentInRepo(context);
  const { machine, settings } = context;
  const own = { ...context, config: resolveConfig(settings, machine.env, machine.home) };
  if (own.config.root === inside.context.config.root) {
    const message = `VIBE_ROOT or --root names the notes of this repository, so there is no other workspace. Leave it out.`;
    throw new UserError("INVALID_ARGUMENT", message);
  }
  const [source, target] = direction === "in" ? [own, inside.context] : [inside.context, own];
  const likely = projectNameOf(inside.context.config.root, machine.folder, machine.home);
  const project = projectHere(source, context.words[0] ?? likely?.name);
  return withWorkspace(source, (from) =>
    withWorkspace(target, (to) => moveAsked(context, { direction, inside, project, from, to })),
  );
}

interface Move {
  direction: Direction;
  inside: InRepo;
  project: string;
  from: Workspace;
  to: Workspace;
}

async function moveAsked(context: CommandContext, move: Move): Promise<number> {
  const { project, from, to } = move;
  const { options } = context;
  const plan = await planCarry(from, to, project);
  say(context, preview(plan, move));
  const isDry = options.has("dry-run");
  const isAgreed = !isDry && (options.has("yes") || (await confirm(context, "Move it? [y/N] ")));
  const answer = { success: isAgreed || isDry, dry_run: !isAgreed, ...plan };
  if (!isAgreed) {
    const command = [context.program, `move-${move.direction}`, quoted(project), "--yes"].join(" ");
    print(context, answer, isDry ? "" : `Nothing moved. To do it: ${command}\n`);
    return isDry ? 0 : 1;
  }
  const done = await acting(from, move.direction, () =>
    acting(to, move.direction, () => carryProject(from, to, project)),
  );
  await changeLine(context, move);
  print(context, { ...answer, ...done }, outcome(context, move, done));
  return 0;
}

function acting<T>({ history }: Workspace, direction: Direction, work: () => T): T {
  return history.acting(
    { tool: `move_${direction}`, client: `vibe-mcp move-${direction}`, isPerson: true },
    work,
  );
}

/** Servers find the notes by the line. */
async function changeLine({ machine }: CommandContext, { direction, inside, project }: Move): Promise<void> {
  const here = { ...machine, folder: inside.repository };
  const link = planLink(inside.context.config.root, here);
  const line = projectLine({ folder: inside.folder, name: project });
  if (link === undefined || (direction === "out" && link.current !== line)) return;
  await writeLink(link, direction === "in" ? line : project);
}

function preview({ project, files, broken }: Carried, { from, to }: Move): string {
  const rows = broken
    .slice(0, MAX_SHOWN)
    .map(({ path, line, link }) => `${oneLine(path)}:${line}  ${oneLine(link)} will lead nowhere`);
  const more = broken.length > MAX_SHOWN ? [`… and ${broken.length - MAX_SHOWN} more`] : [];
  const title = `${oneLine(project)}: ${counted(files.length, "file")}, from ${oneLine(from.root)} to ${oneLine(to.root)}`;
  return [title, ...rows, ...more].join("\n");
}

function outcome(
  { program }: CommandContext,
  { direction, project, from }: Move,
  { files, changes, isGone }: Awaited<ReturnType<typeof carryProject>>,
): string {
  const back = `${program} move-${direction === "in" ? "out" : "in"} ${quoted(project)}`;
  const left = isGone ? "" : ` Hidden files and links stay in ${quoteName(`${from.root}/${project}`)}.`;
  return `Moved ${counted(files.length, "file")}, with ${counted(changes, "change")} of history.${left} To take it back: ${back}\n`;
}
