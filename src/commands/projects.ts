import { counted } from "../lib/text.ts";
import type { ProjectListing, ProjectSummary } from "../workspace/projects.ts";
import { withWorkspace } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { emptyWorkspace } from "./here.ts";
import { JSON_OPTION } from "./options.ts";
import { asJson, oneLine, painter, printable, quoted } from "./paint.ts";

export const projectsCommand: Command = {
  name: "projects",
  summary: "List the projects with their numbers, or the files of one.",
  words: [{ name: "project", help: "List the files of this one.", values: "project" }],
  options: [
    { flag: "folder", value: "name", help: "With a project: only this folder." },
    { flag: "names", help: "Print the names alone, one a line." },
    JSON_OPTION,
  ],
  example: "projects payments-api",
  run: async (context) => {
    const { config, options, terminal } = context;
    if (options.has("names")) {
      const { listFolder } = await import("../files/list.ts");
      const names = listFolder(config.root, "").folders.map((name) => `${name}\n`);
      // A script gets them as they are.
      terminal.stdout.write(terminal.stdout.isTTY ? printable(names.join("")) : names.join(""));
      return 0;
    }
    const answer = await listed(context);
    const empty = await emptyWorkspace(context);
    if (options.has("json")) terminal.stdout.write(asJson(answer));
    else if (empty !== undefined) terminal.stdout.write(empty);
    else
      terminal.stdout.write(
        "projects" in answer ? await overview(context, answer.projects) : files(context, answer),
      );
    return 0;
  },
};

/** All of them: a person scrolls, and a script wants the whole. */
async function listed(
  context: CommandContext,
): Promise<{ total: number; projects: readonly ProjectSummary[] } | ProjectListing> {
  const { words, options } = context;
  return withWorkspace(context, async (workspace) => {
    if (words[0] !== undefined) {
      const { listFiles } = await import("../tools/list-projects.ts");
      return listFiles(workspace, words[0], { folder: options.text("folder"), limit: Infinity, offset: 0 });
    }
    const { listProjects } = await import("../workspace/projects.ts");
    const projects = await listProjects(workspace);
    return { total: projects.length, projects };
  });
}

const COLUMNS = ["project", "docs", "in progress", "pending", "blocked", "done", "last session"];

async function overview({ terminal }: CommandContext, projects: readonly ProjectSummary[]): Promise<string> {
  const { padColumns, textWidth } = await import("../lib/columns.ts");
  const rows = projects.map(({ name, stats }) => [
    oneLine(name),
    ...[
      stats.total_docs,
      stats.in_progress_tasks,
      stats.pending_tasks,
      stats.blocked_tasks,
      stats.done_tasks,
    ].map(String),
    stats.last_session_date ?? "-",
  ]);
  const widths = COLUMNS.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => textWidth(row[at] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? padColumns(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  const paint = painter(terminal);
  return `${[paint("dim", line(COLUMNS)), ...rows.map(line)].join("\n")}\n`;
}

function files({ terminal, program, words }: CommandContext, { folders }: ProjectListing): string {
  const paint = painter(terminal);
  const parts = Object.entries(folders).map(([folder, entries]) => {
    const lines = entries.map(({ filename, status, updated }) => {
      const mark = status === undefined || status === null ? "" : `  ${oneLine(status)}`;
      return `  ${paint("dim", updated)}  ${oneLine(filename)}${paint("dim", mark)}`;
    });
    return `${paint("bold", `${folder === "" ? "(root)" : oneLine(folder)}`)}  ${counted(entries.length, "file")}\n${lines.join("\n")}`;
  });
  if (parts.length === 0)
    return `${oneLine(words[0] ?? "")} holds no document yet. Write a task: ${program} new "Add login" --project ${quoted(words[0] ?? "")}\n`;
  return `${parts.join("\n\n")}\n`;
}
