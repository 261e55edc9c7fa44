import { resolve } from "node:path";
import { UsageError } from "../../core/config/options.ts";
import { counted } from "../../core/lib/text.ts";
import { isTaskPath } from "../../core/notes/document.ts";
import { guarded } from "../../core/storage/fs-errors.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { type ImportResult, importTasks } from "../../setup/imports/import.ts";
import { readImport } from "../../setup/imports/import-source.ts";
import { IMPORT_KINDS } from "../../setup/imports/imported-task.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { wayBack } from "../next-commands.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { firstRows, notify, oneLine, print, say } from "../terminal.ts";

/** How many of the new paths are shown; a dry run and `--json` list all. */
const MAX_SHOWN = 20;

export async function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  const kind = IMPORT_KINDS.find((one) => one === words[0]);
  if (kind === undefined) throw new UsageError(`import takes one of: ${IMPORT_KINDS.join(", ")}`);
  const dryRun = options.has("dry-run");
  if (config.readOnly && !dryRun) throw readOnlyError();
  const project = projectHere(context, options.text("project"));
  const folder = words[1] ?? "";
  const source = await guarded("read", folder, () => readImport(kind, resolve(folder)));
  const importAll = (workspace: Workspace) =>
    workspace.history.acting({ tool: "import", client: "vibe-mcp import", isPerson: true }, () =>
      importTasks(workspace, project, { kind, source, dryRun }),
    );
  const result = await withWorkspace(context, importAll, true);
  const rows = result.created.map((path) => `→ ${oneLine(path)}`);
  for (const row of dryRun ? rows : firstRows(rows, MAX_SHOWN)) say(context, row);
  print(context, { success: true, project, dry_run: dryRun, ...result }, "");
  notify(context, `${reportLines(context, result, dryRun).join("\n")}\n`);
  return 0;
}

function reportLines(
  context: CommandContext,
  { created, known, notes, skipped, change }: ImportResult,
  dryRun: boolean,
): string[] {
  const tasks = created.filter(isTaskPath).length;
  const documents = created.length - tasks;
  const count = [counted(tasks, "task"), ...(documents > 0 ? [counted(documents, "document")] : [])].join(
    " and ",
  );
  const made = dryRun ? `${count} to create: nothing is written yet.` : `Created ${count}.`;
  return [
    `${made}${wayBack(context, "To take it back", change)}`,
    ...(known > 0 ? [`${known} came in before and did not change.`] : []),
    ...notes.map((note) => `${oneLine(note)}.`),
    ...(skipped.length > 0 ? ["Left out:", ...skipped.map((line) => `- ${oneLine(line)}`)] : []),
  ];
}
