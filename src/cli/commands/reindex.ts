import { counted } from "../../core/lib/text.ts";
import { reindexTool } from "../../core/mcp/tools/reindex.ts";
import { callTool } from "../call.ts";
import type { CommandContext, Terminal } from "../command.ts";
import { emptyWorkspace } from "../resolve-project.ts";
import { notify, print } from "../terminal.ts";

const BAR_WIDTH = 30;

export async function run(context: CommandContext): Promise<number> {
  const { options, terminal, words } = context;
  const args = { project: words[0], full: options.has("full") };
  const progress = (done: number, total: number) => showProgress(terminal, done, total);
  try {
    const answer = await callTool(context, reindexTool, { args, progress });
    clearProgress(terminal);
    const { scanned, added, updated, deleted } = answer.stats;
    const counts = `${counted(scanned, "file")}: ${added} added, ${updated} updated, ${deleted} deleted\n`;
    const empty = emptyWorkspace(context);
    print(context, answer, empty === undefined ? counts : "");
    if (empty !== undefined) notify(context, empty);
    return 0;
  } catch (error) {
    clearProgress(terminal);
    throw error;
  }
}

/** Draws a bar, on a terminal only. */
function showProgress({ stderr }: Terminal, done: number, total: number): void {
  if (!stderr.isTTY) return;
  const filled = total === 0 ? BAR_WIDTH : Math.round((done / total) * BAR_WIDTH);
  stderr.write(`\r${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${done} of ${total} files`);
}

function clearProgress({ stderr }: Terminal): void {
  if (stderr.isTTY) stderr.write("\r\x1b[K");
}
