import { escapeText } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { padColumns, textWidth } from "../../lib/width.ts";
import { listFiles } from "../../mcp/tools/list-projects.ts";
import { projectNames } from "../../storage/list.ts";
import { listProjects, type ProjectListing, type ProjectSummary } from "../../workspace/projects.ts";
import type { CommandContext } from "../command.ts";
import { emptyWorkspace, withWorkspace } from "../resolve-project.ts";
import { oneLine, painter, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, terminal, words } = context;
  const [project] = words;
  if (options.has("names")) {
    const names = projectNames(config.root)
      .map((name) => `${name}\n`)
      .join("");
    // A script gets the raw names.
    terminal.stdout.write(terminal.stdout.isTTY ? escapeText(names) : names);
  } else if (project === undefined) {
    const answer = await withWorkspace(context, (workspace) => listProjects(workspace));
    print(context, answer, emptyWorkspace(context) ?? overview(context, answer.projects));
  } else {
    const page = { folder: options.text("folder"), limit: Number.POSITIVE_INFINITY, offset: 0 };
    const listing = await withWorkspace(context, (workspace) => listFiles(workspace, project, page));
    print(context, listing, files(context, project, listing));
  }
  return 0;
}

const COLUMNS = ["project", "docs", "in progress", "pending", "blocked", "done", "last session"];

function overview(context: CommandContext, projects: readonly ProjectSummary[]): string {
  const rows = projects.map(({ name, stats }) => [
    oneLine(name),
    String(stats.total_docs),
    String(stats.in_progress_tasks),
    String(stats.pending_tasks),
    String(stats.blocked_tasks),
    String(stats.done_tasks),
    stats.last_session_date ?? "-",
  ]);
  const widths = COLUMNS.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => textWidth(row[at] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? padColumns(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return `${[painter(context)("dim", line(COLUMNS)), ...rows.map(line)].join("\n")}\n`;
}

function files(context: CommandContext, project: string, { folders }: ProjectListing): string {
  const paint = painter(context);
  const parts = Object.entries(folders).map(([folder, entries]) => {
    const lines = entries.map(({ filename, status, updated }) => {
      const mark = status === undefined || status === null ? "" : `  ${oneLine(status)}`;
      return `  ${paint("dim", updated)}  ${oneLine(filename)}${paint("dim", mark)}`;
    });
    const title = paint("bold", folder === "" ? "(root)" : oneLine(folder));
    return `${title}  ${counted(entries.length, "file")}\n${lines.join("\n")}\n`;
  });
  if (parts.length > 0) return parts.join("\n");
  return `${oneLine(project)} has no documents yet. Write a task: ${context.program} new "Add login" --project ${quoted(project)}\n`;
}
