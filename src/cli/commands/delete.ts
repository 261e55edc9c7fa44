import { counted } from "../../core/lib/text.ts";
import { describeDeletion } from "../../core/mcp/tools/delete-doc.ts";
import { deleteDocument, linksTo } from "../../core/workspace/delete.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { nameHere } from "../locate.ts";
import { wayBack, yesCommand } from "../next-commands.ts";
import { withWorkspace } from "../resolve-project.ts";
import { agreed, firstRows, oneLine, print, say } from "../terminal.ts";

const MAX_SHOWN = 20;

export async function run(context: CommandContext): Promise<number> {
  const { config, words } = context;
  if (config.readOnly) throw readOnlyError();
  const name = nameHere(context, words[0] ?? "");
  return withWorkspace(context, (workspace) =>
    workspace.history.acting({ tool: "delete_doc", client: "vibe-mcp delete", isPerson: true }, async () => {
      const { path, hash } = workspace.read(name);
      const broken = await linksTo(workspace, [path]);
      if (broken.length > 0) say(context, `${brokenLinks(broken)}\n`);
      const isAgreed = await agreed(context, `Delete ${oneLine(path)}? It can be undone. [y/N] `);
      const change = isAgreed ? (await deleteDocument(workspace, { path }, hash)).change : undefined;
      const answer = { success: isAgreed, ...describeDeletion(path, change, broken) };
      print(context, answer, outcome(context, { path, isAgreed, change }));
      return isAgreed ? 0 : 1;
    }),
  );
}

function brokenLinks(broken: Awaited<ReturnType<typeof linksTo>>): string {
  const rows = broken.map(({ path, line, before }) => `${oneLine(path)}:${line}  ${oneLine(before)}`);
  return [`${counted(broken.length, "link")} will lead nowhere:`, ...firstRows(rows, MAX_SHOWN)].join("\n");
}

interface Deletion {
  path: string;
  isAgreed: boolean;
  change: string | undefined;
}

function outcome(context: CommandContext, { path, isAgreed, change }: Deletion): string {
  if (!isAgreed) return `Nothing deleted. To delete it: ${yesCommand(context)}\n`;
  return `Deleted ${oneLine(path)}.${wayBack(context, "To bring it back", change)}\n`;
}
