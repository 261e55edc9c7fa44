import { counted } from "../../core/lib/text.ts";
import { describeMove, firstOf } from "../../core/mcp/tools/move-doc.ts";
import type { MoveResult } from "../../core/workspace/move-plan.ts";
import { renumberTasks } from "../../core/workspace/renumber.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { wayBack, yesCommand } from "../next-commands.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { agreed, notify, oneLine, print, say } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  if (context.config.readOnly) throw readOnlyError();
  const project = projectHere(context, context.words[0], "the project's name:");
  return withWorkspace(context, (workspace) =>
    workspace.history.acting({ tool: "move_doc", client: "vibe-mcp renumber", isPerson: true }, () =>
      renumber(context, workspace, project),
    ),
  );
}

async function renumber(context: CommandContext, workspace: Workspace, project: string): Promise<number> {
  const { options } = context;
  const preview = await renumberTasks(workspace, project, { dryRun: true });
  const isOnlyShown = preview.moved.length === 0 || options.has("dry-run");
  for (const { from, to } of preview.moved) say(context, `${oneLine(from)} → ${oneLine(to)}`);
  const isAgreed = !isOnlyShown && (await agreed(context, `${whatChanges(preview)}? [y/N] `));
  const made = isAgreed ? await renumberTasks(workspace, project, { dryRun: false }) : preview;
  const success = isAgreed || isOnlyShown;
  print(
    context,
    { success, moved: firstOf(made.moved), ...describeMove(made, !isAgreed) },
    outcome(context, made, isAgreed),
  );
  if (!success) notify(context, `Nothing changed. To do it: ${yesCommand(context)}\n`);
  return success ? 0 : 1;
}

function whatChanges({ moved, edits }: MoveResult): string {
  return `Renumber ${counted(moved.length, "task")}, and change ${counted(edits.length, "link")}`;
}

function outcome(context: CommandContext, made: MoveResult, isAgreed: boolean): string {
  if (made.moved.length === 0) return "No two tasks share a number.\n";
  if (!isAgreed) return "";
  const { moved, edits, change } = made;
  const done = `Renumbered ${counted(moved.length, "task")}, and changed ${counted(edits.length, "link")}.`;
  return `${done}${wayBack(context, "To take it back", change)}\n`;
}
