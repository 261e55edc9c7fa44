import { UsageError } from "../../core/config/options.ts";
import { counted } from "../../core/lib/text.ts";
import { archiveTasksTool } from "../../core/mcp/tools/archive-tasks.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { dayBefore } from "../days.ts";
import { taskHere } from "../locate.ts";
import { wayBack, yesCommand } from "../next-commands.ts";
import { projectHere } from "../resolve-project.ts";
import { agreed, notify, oneLine, print, say } from "../terminal.ts";

/** After the date of any task. */
const ALWAYS = "9999-12-31";

export async function run(context: CommandContext): Promise<number> {
  const { options } = context;
  const args = argumentsOf(context);
  const preview = await callTool(context, archiveTasksTool, { args: { ...args, dry_run: true } });
  const tasks = counted(preview.total, "task");
  const isOnlyShown = preview.total === 0 || options.has("dry-run");
  for (const path of preview.moved) say(context, `→ ${oneLine(path)}`);
  const question = `${args.restore ? "Restore" : "Archive"} ${tasks}? [y/N] `;
  const isAgreed = !isOnlyShown && (await agreed(context, question));
  const answer = isAgreed ? await callTool(context, archiveTasksTool, { args }) : preview;
  const links = answer.links.changed === 0 ? "" : `, and changed ${counted(answer.links.changed, "link")}`;
  const done = `${args.restore ? "Restored" : "Archived"} ${counted(answer.total, "task")}${links}.`;
  const shown = answer.total === 0 ? "" : `${tasks} to move: nothing moved yet.\n`;
  const back = wayBack(context, "To take it back", answer.change);
  print(context, answer, isAgreed ? `${done}${back}\n` : shown);
  if (answer.hint !== undefined) notify(context, `${answer.hint}\n`);
  if (!isAgreed && !isOnlyShown) notify(context, `To move them: ${yesCommand(context)}\n`);
  return isAgreed || isOnlyShown ? 0 : 1;
}

function argumentsOf(context: CommandContext) {
  const { options, words } = context;
  const older = options.text("older");
  if (words.length === 0 && older === undefined && !options.has("done"))
    throw new UsageError("archive takes tasks (archive 003 004), --done or --older 30d");
  const tasks = words.map((word) => taskHere(context, word));
  const other = tasks.find(({ project }) => project !== tasks[0]?.project);
  if (other !== undefined)
    throw new UsageError(
      `archive takes the tasks of one project, not of ${tasks[0]?.project} and ${other.project}`,
    );
  const isByAge = words.length === 0 || older !== undefined;
  return {
    project: tasks[0]?.project ?? projectHere(context, options.text("project")),
    restore: options.has("restore"),
    ...(tasks.length > 0 && { tasks: tasks.map(({ task }) => task) }),
    ...(isByAge && {
      done_before: older === undefined ? ALWAYS : dayBefore(context.clock.now(), older, "--older"),
    }),
  };
}
