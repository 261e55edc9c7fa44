import { isTaskStatus } from "../domain/status.ts";
import { quoteName } from "../lib/escape.ts";
import { groupBy } from "../lib/group.ts";
import { counted } from "../lib/text.ts";
import type { WorkspaceTask } from "../workspace/tasks.ts";
import { withWorkspace } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { emptyWorkspace, projectHereIfAny } from "./here.ts";
import { JSON_OPTION, limitOption, PROJECT_WORD, STATUS_OPTION } from "./options.ts";
import { asJson, oneLine, painter, quoted } from "./paint.ts";

/** Narrower, four columns cannot be read. */
const LEAST_COLUMNS = 60;
const MOST_COLUMNS = 160;

export const tasksCommand: Command = {
  name: "tasks",
  summary: "Show the tasks: a board on a terminal, one line each in a pipe.",
  words: [{ ...PROJECT_WORD, help: "Its name; without it the project of this folder, else all." }],
  options: [
    STATUS_OPTION,
    { flag: "ready", help: "Only what can be started: pending, with nothing open before it." },
    { flag: "all", help: "The tasks of all projects." },
    limitOption(10_000, "How many cards at most in a column of the board (10)."),
    JSON_OPTION,
  ],
  example: "tasks payments-api --ready",
  run: async (context) => {
    const { options, terminal, words } = context;
    const { findTasks, describeTasks } = await import("../tools/list-tasks.ts");
    const project = options.has("all") ? undefined : await projectHereIfAny(context, words[0]);
    const filter = { project, status: options.text("status"), ready: options.has("ready") };
    const tasks = await withWorkspace(context, (workspace) => findTasks(workspace, filter));
    const empty = await emptyWorkspace(context);
    const text = async () => empty ?? (await report(context, project, tasks));
    terminal.stdout.write(options.has("json") ? asJson(describeTasks(filter, tasks)) : await text());
    return 0;
  },
};

async function report(
  context: CommandContext,
  project: string | undefined,
  tasks: readonly WorkspaceTask[],
): Promise<string> {
  const { terminal, options } = context;
  if (tasks.length === 0) return nothing(context, project);
  const { renderBoard, renderList } = await import("./board.ts");
  const columns = terminal.stdout.isTTY ? (terminal.stdout.columns ?? 80) : 0;
  if (columns < LEAST_COLUMNS) return renderList(tasks, painter(terminal));
  const layout = {
    columns: Math.min(columns, MOST_COLUMNS),
    cards: options.number("limit") ?? 10,
    paint: painter(terminal),
  };
  const boards = [...groupBy(tasks, (task) => task.project)].map(([name, own]) => {
    return `${layout.paint("bold", oneLine(name))}  ${summary(own)}\n\n${renderBoard(own, layout)}`;
  });
  return boards.join("\n");
}

function summary(tasks: readonly WorkspaceTask[]): string {
  const ready = tasks.filter((task) => task.ready).length;
  const other = tasks.filter(({ status }) => !isTaskStatus(status)).length;
  return [
    counted(tasks.length, "task"),
    `${ready} ready to start`,
    ...(other > 0 ? [`${other} with another status, or none`] : []),
  ].join(", ");
}

function nothing({ options, program, config }: CommandContext, project: string | undefined): string {
  const place = project === undefined ? config.root : `project ${quoteName(project)}`;
  const filtered = options.has("status") || options.has("ready");
  const target = project === undefined ? "" : ` --project ${quoted(project)}`;
  return filtered
    ? `No such task in ${place}. All of them: ${program} tasks${project === undefined ? "" : ` ${quoted(project)}`}\n`
    : `There is no task in ${place} yet. Create one: ${program} new "Add login"${target}\n`;
}
