import { escapeText } from "../../core/lib/escape.ts";
import { counted } from "../../core/lib/text.ts";
import { padColumns, textWidth } from "../../core/lib/width.ts";
import { listFiles } from "../../core/mcp/tools/list-projects.ts";
import { bucketOf, openStatuses } from "../../core/notes/plan/plan.ts";
import { factsOf, isShown, WORK_ORDER } from "../../core/notes/task/statuses.ts";
import { plainNames, projectNames } from "../../core/storage/list.ts";
import { gateOf } from "../../core/storage/path-gate.ts";
import { entriesAlike } from "../../core/workspace/find/entries.ts";
import { listProjects, type ProjectListing, type ProjectSummary } from "../../core/workspace/projects.ts";
import type { CommandContext } from "../command.ts";
import { projectFlag } from "../next-commands.ts";
import { emptyWorkspace, withWorkspace } from "../resolve-project.ts";
import { notify, oneLine, painter, print } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  const [project] = words;
  if (project !== undefined) return showFiles(context, project);
  if (options.has("names")) {
    printNames(context, projectNames(config.root));
    return 0;
  }
  const answer = await withWorkspace(context, (workspace) => listProjects(workspace));
  const empty = emptyWorkspace(context);
  print(context, answer, empty === undefined ? overview(context, answer.projects) : "");
  if (empty !== undefined) notify(context, empty);
  return 0;
}

/** Lists the files of a project. */
export async function showFiles(context: CommandContext, project: string): Promise<number> {
  const { options, program } = context;
  const page = { folder: options.text("folder"), limit: Number.POSITIVE_INFINITY, offset: 0 };
  const listing = await withWorkspace(context, (workspace) => listFiles(workspace, project, page));
  const entries = Object.entries(listing.folders);
  if (options.has("names")) printNames(context, pathsOf(context.config.root, listing));
  else {
    const texts = entries.map(([folder, files]) =>
      folderText(context, [folder, files], listing.totals?.[folder]),
    );
    print(context, listing, texts.join("\n"));
  }
  if (entries.length === 0)
    notify(
      context,
      `${oneLine(project)} has no documents yet. Write a task: ${program} new "Add login"${projectFlag(context, project)}\n`,
    );
  return 0;
}

/** A script gets the raw names. */
function printNames({ terminal: { stdout } }: CommandContext, names: readonly string[]): void {
  const text = names.map((name) => `${name}\n`).join("");
  stdout.write(stdout.isTTY ? escapeText(text) : text);
}

/** As the disk spells them. */
function pathsOf(root: string, { name, folders }: ProjectListing): string[] {
  const names = plainNames(gateOf(root));
  const paths = Object.entries(folders).flatMap(([folder, files]) =>
    files.map(({ filename }) => [name, folder, filename].filter(Boolean).join("/")),
  );
  const spelled = paths.flatMap((path) => {
    const found = entriesAlike(names, path.split("/"), "files");
    return found.length === 0 ? [path] : found;
  });
  return [...new Set(spelled)];
}

/** Open tasks first. */
const COLUMNS = [...openStatuses(), ...WORK_ORDER.filter((status) => !factsOf(status).isOpen)];

function overview(context: CommandContext, projects: readonly ProjectSummary[]): string {
  const statuses = COLUMNS.filter((status) =>
    isShown(status, Math.max(...projects.map(({ stats }) => stats[`${bucketOf(status)}_tasks`]))),
  );
  const titles = ["project", "docs", ...statuses.map((status) => status.replace("-", " ")), "last session"];
  const rows = projects.map(({ name, stats }) => [
    oneLine(name),
    String(stats.total_docs),
    ...statuses.map((status) => String(stats[`${bucketOf(status)}_tasks`])),
    stats.last_session_date ?? "-",
  ]);
  const widths = titles.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => textWidth(row[at] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? padColumns(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return `${[painter(context)("dim", line(titles)), ...rows.map(line)].join("\n")}\n`;
}

function folderText(
  context: CommandContext,
  [folder, entries]: [string, ProjectListing["folders"][string]],
  total?: number,
): string {
  const paint = painter(context);
  const lines = entries.map(({ filename, status, updated }) => {
    const mark = status === undefined || status === null ? "" : `  ${oneLine(status)}`;
    return `  ${paint("dim", updated)}  ${oneLine(filename)}${paint("dim", mark)}`;
  });
  const title = paint("bold", folder === "" ? "(root)" : oneLine(folder));
  // Only the archive is left out.
  if (total !== undefined)
    return `${title}  ${counted(total, "file")}: list them with --folder ${oneLine(folder)}\n`;
  return `${title}  ${counted(entries.length, "file")}\n${lines.join("\n")}\n`;
}
