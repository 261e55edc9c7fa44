import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { listStaleSettled, staleCount, staleLines } from "../../core/workspace/stale-list.ts";
import type { CommandContext } from "../command.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { oneLine, print } from "../terminal.ts";

const NEXT =
  "Correct these lines, or have an agent do it (prompt review_notes). If a note is right as it is, write today's date as `confirmed` into its frontmatter.";

export function run(context: CommandContext): Promise<number> {
  const project = projectHere(context, context.words[0]);
  return withWorkspace(context, async (workspace) => {
    const folder = workspace.repositories?.folderOf(project);
    if (workspace.code === undefined || folder === undefined) throw unknown(project);
    const documents = await listStaleSettled(workspace, project);
    const lines = documents.flatMap((entry) => [
      oneLine(entry.path),
      ...staleLines(entry).map((line) => `  ${oneLine(line)}`),
    ]);
    const text =
      documents.length === 0
        ? ["No note names what is gone."]
        : [...lines, "", `${staleCount(documents)}.`, NEXT];
    print(context, { project, documents }, `${text.join("\n")}\n`);
    return documents.length === 0 ? 0 : 1;
  });
}

function unknown(project: string): UserError {
  const name = quoteName(project);
  const message = `No repository of ${name} is known here: run this in its folder, or write the line "vibe: ${project}" into its AGENTS.md (and do not set VIBE_STALE to off).`;
  return new UserError("FILE_NOT_FOUND", message, { details: { project } });
}
