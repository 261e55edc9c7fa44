import { quotePath } from "../../notes/quote.ts";
import { listStale, staleCount, staleLines } from "../../workspace/stale-list.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const REVIEW = `They name files that the project's repository no longer has. One by one: read the note, and look into the code for what is there now. Then
- correct the lines with update_doc, or
- if the note is right as it is, say so: update_doc {confirmed: true}.
A path with \`repo:\` is a file of the repository: correct it there with your editor. If you cannot tell, leave the note and say why.`;

/** The list with what to do, for an agent. */
export async function reviewNotes(workspace: Workspace, { project }: { project: string }): Promise<string> {
  const entries = await listStale(workspace, project);
  const title = `# Review the notes of ${quotePath(project)}`;
  if (entries.length === 0) return `${title}\n\nNo note names what is gone, as far as it is known now.\n`;
  const list = entries.map((entry) =>
    [quotePath(entry.path), ...staleLines(entry).map((line) => `- ${line}`)].join("\n"),
  );
  return `${[title, `${staleCount(entries)}.`, REVIEW, ...list].join("\n\n")}\n`;
}
