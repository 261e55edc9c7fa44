import { groupBy } from "../../lib/collections.ts";
import { quoteName } from "../../lib/escape.ts";
import { compareText, counted } from "../../lib/text.ts";
import { describeTasks, findTasks } from "../../mcp/tools/list-tasks.ts";
import { isTaskStatus } from "../../notes/status.ts";
import type { WorkspaceTask } from "../../workspace/tasks.ts";
import { renderBoard, renderList } from "../board.ts";
import type { CommandContext } from "../command.ts";
import { emptyWorkspace, projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { oneLine, painter, print, quoted } from "../terminal.ts";

/** A narrower terminal has no room for four columns. */
const MIN_COLUMNS = 60;
const MAX_COLUMNS = 160;

export async function run(context: CommandContext): Promise<number> {
  const { options, words } = context;
  const project = options.has("all") ? undefined : projectHereIfAny(context, words[0]);
  const filter = { project, status: options.text("status"), ready: options.has("ready") };
  const tasks = await withWorkspace(context, (workspace) => findTasks(workspace, filter));
  const text = tasks.length === 0 ? noTasks(context, project) : report(context, tasks);
  print(context, describeTasks(filter, tasks), emptyWorkspace(context) ?? text);
  return 0;
}

function report(context: CommandContext, tasks: readonly WorkspaceTask[]): string {
  const { stdout } = context.terminal;
  const paint = painter(context);
  const columns = stdout.isTTY ? (stdout.columns ?? 80) : 0;
  if (columns < MIN_COLUMNS) return renderList(tasks, paint);
  const layout = {
    columns: Math.min(columns, MAX_COLUMNS),
    cards: context.options.number("limit") ?? 10,
    paint,
  };
  const groups = [...groupBy(tasks, (task) => task.project)].sort(([a], [b]) => compareText(a, b));
  const boards = groups.map(([name, own]) => {
    return `${paint("bold", oneLine(name))}  ${summary(own)}\n\n${renderBoard(own, layout)}`;
  });
  return boards.join("\n");
}

function summary(tasks: readonly WorkspaceTask[]): string {
  const ready = tasks.filter((task) => task.ready).length;
  const other = tasks.filter(({ status }) => !isTaskStatus(status)).length;
  const rest = other > 0 ? `, ${other} with another status, or none` : "";
  return `${counted(tasks.length, "task")}, ${ready} ready to start${rest}`;
}

function noTasks({ options, program, config }: CommandContext, project: string | undefined): string {
  const place = project === undefined ? config.root : `project ${quoteName(project)}`;
  const word = project === undefined ? "" : ` ${quoted(project)}`;
  if (options.has("status") || options.has("ready"))
    return `No such task in ${place}. List all: ${program} tasks${word}\n`;
  const option = project === undefined ? "" : ` --project${word}`;
  return `There are no tasks in ${place} yet. Create one: ${program} new "Add login"${option}\n`;
}
