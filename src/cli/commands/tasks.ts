import { localDate } from "../../core/lib/clock.ts";
import { definedOf, groupBy } from "../../core/lib/collections.ts";
import { listNames, quoteName } from "../../core/lib/escape.ts";
import { compareText, counted } from "../../core/lib/text.ts";
import { wrapText } from "../../core/lib/width.ts";
import { describeTasks, findTasks, ME } from "../../core/mcp/tools/list-tasks.ts";
import { FILTERS, TASK_ORDERS } from "../../core/notes/task/fields.ts";
import { sortedBy } from "../../core/notes/task/order.ts";
import { isTaskStatus, shownStatuses } from "../../core/notes/task/statuses.ts";
import { listTasks, type WorkspaceTask } from "../../core/workspace/tasks.ts";
import type { CommandContext, OptionValues } from "../command.ts";
import { projectFlag } from "../next-commands.ts";
import { agentName } from "../person.ts";
import { emptyWorkspace, projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { notify, oneLine, painter, print, quoted } from "../terminal.ts";
import { renderBoard, renderList } from "../terminal-board.ts";

/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;
const MAX_VALUES = 10;
const MAX_CARDS = 10;

export async function run(context: CommandContext): Promise<number> {
  const { options, words, terminal } = context;
  const project = options.has("all") ? undefined : projectHereIfAny(context, words[0]);
  const owner = options.text("owner");
  const filter = {
    project,
    status: options.text("status"),
    ...Object.fromEntries(FILTERS.map(({ flag }) => [flag, options.text(flag)])),
    owner: owner === ME ? await agentName(context) : owner,
    ready: options.has("ready"),
    archived: options.has("archived"),
  };
  const { tasks: found, leftOut } = await withWorkspace(context, (workspace) => findTasks(workspace, filter));
  const left_out = leftOut.length === 0 ? undefined : leftOut;
  if (left_out !== undefined)
    notify(
      context,
      `No tasks: ${listNames(
        left_out.map(({ path }) => path),
        MAX_VALUES,
      )}.\n`,
    );
  const order = TASK_ORDERS.find((one) => one === options.text("sort"));
  const tasks = order === undefined ? found : sortedBy(found, order);
  const limit = options.number("limit");
  if (terminal.stdout.isTTY && !options.has("json") && tasks.length > 0) {
    terminal.stdout.write(boards(context, tasks, limit ?? MAX_CARDS));
    return 0;
  }
  const shown = tasks.slice(0, limit);
  const answer = { ...describeTasks(filter, shown), total: tasks.length, ...definedOf({ left_out }) };
  const style = { paint: painter(context), today: localDate(context.clock.now()) };
  print(context, answer, renderList(shown, style));
  if (tasks.length === 0) notify(context, emptyWorkspace(context) ?? (await noTasks(context, project)));
  if (shown.length < tasks.length) notify(context, `${shown.length} of ${counted(tasks.length, "task")}\n`);
  return 0;
}

/** One board per project. */
function boards(context: CommandContext, tasks: readonly WorkspaceTask[], cards: number): string {
  const { options, terminal } = context;
  const paint = painter(context);
  const status = options.has("ready") ? "pending" : options.text("status");
  const layout = {
    columns: Math.min(terminal.stdout.columns || 80, MAX_COLUMNS),
    cards,
    paint,
    today: localDate(context.clock.now()),
  };
  const groups = [...groupBy(tasks, (task) => task.project)].sort(([a], [b]) => compareText(a, b));
  const parts = groups.map(([name, own]) => {
    const title = wrapText(`${paint("bold", oneLine(name))}  ${summary(own)}`, layout.columns);
    const statuses = shownStatuses(own).filter((one) => status === undefined || status === one);
    return `${title}

${renderBoard(own, { ...layout, statuses })}`;
  });
  return parts.join("\n");
}

function summary(tasks: readonly WorkspaceTask[]): string {
  const ready = tasks.filter((task) => task.ready).length;
  const other = tasks.filter(({ status }) => !isTaskStatus(status)).length;
  const rest = other > 0 ? `, ${other} with another status, or none` : "";
  return `${counted(tasks.length, "task")}, ${ready} ready to start${rest}`;
}

/** What a filter could have been, if one leaves nothing. */
async function noTasks(context: CommandContext, project: string | undefined): Promise<string> {
  const { options, program, config } = context;
  const all = await withWorkspace(context, (workspace) => listTasks(workspace, project));
  const place = project === undefined ? config.root : `project ${quoteName(project)}`;
  const word = project === undefined ? "" : ` ${quoted(project)}`;
  if (all.length > 0) {
    const flags = ["status", ...FILTERS.map(({ flag }) => flag)];
    const which = flags
      .filter((flag) => options.has(flag))
      .map((flag) => `--${flag} ${quoted(options.text(flag) ?? "")}`);
    const filter = [...(options.has("ready") ? ["--ready"] : []), ...which].join(" ");
    const tasks = all.length === 1 ? "The task" : `None of the ${all.length} tasks`;
    const verb = all.length === 1 ? "does not match" : "matches";
    return `${tasks} in ${place} ${verb} ${filter}.${alternatives(options, all)} List all: ${program} tasks${word}\n`;
  }
  const option = project === undefined ? "" : projectFlag(context, project);
  return `There are no tasks in ${place} yet. Create one: ${program} new "Add login"${option}\n`;
}

/** The values that the tasks have where the filter asks for another. */
function alternatives(options: OptionValues, tasks: readonly WorkspaceTask[]): string {
  const values = [{ flag: "status", title: "Statuses", name: "status" }, ...FILTERS] as const;
  const lists = values.flatMap(({ flag, title, name }) => {
    if (!options.has(flag)) return [];
    const found = [...new Set(tasks.flatMap((task) => task[name]))]
      .filter((value) => typeof value === "string")
      .sort(compareText);
    return [` ${title}: ${listNames(found, MAX_VALUES) || "none"}.`];
  });
  return lists.join("");
}
