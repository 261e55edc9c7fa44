import { counted } from "../../core/lib/text.ts";
import { reindexTool } from "../../core/mcp/tools/reindex.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { emptyWorkspace } from "../resolve-project.ts";
import { notify, print } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, words } = context;
  const args = { project: words[0], full: options.has("full") };
  const answer = await callTool(context, reindexTool, { args });
  const { scanned, added, updated, deleted } = answer.stats;
  const counts = `${counted(scanned, "file")}: ${added} added, ${updated} updated, ${deleted} deleted\n`;
  const empty = emptyWorkspace(context);
  print(context, answer, empty === undefined ? counts : "");
  if (empty !== undefined) notify(context, empty);
  return 0;
}
