import { counted } from "../lib/text.ts";
import { callTool } from "./call.ts";
import type { Command } from "./command.ts";
import { emptyWorkspace } from "./here.ts";
import { JSON_OPTION } from "./options.ts";
import { asJson } from "./paint.ts";
import { progressBar } from "./progress.ts";

export const reindexCommand: Command = {
  name: "reindex",
  summary:
    "Bring the index in step with the files and count what changed; rarely needed, every call does so.",
  words: [{ name: "project", help: "Only this one.", values: "project" }],
  options: [{ flag: "full", help: "Read and index every file again." }, JSON_OPTION],
  example: "reindex --full",
  run: async (context) => {
    const { options, terminal, words } = context;
    const { reindexTool } = await import("../tools/reindex.ts");
    const bar = progressBar(terminal);
    try {
      const args = { project: words[0], full: options.has("full") };
      const answer = await callTool(context, reindexTool, { args, progress: bar.show });
      bar.end();
      const { scanned, added, updated, deleted } = answer.stats;
      const counts = `${counted(scanned, "file")}: ${added} added, ${updated} updated, ${deleted} deleted\n`;
      const text = (await emptyWorkspace(context)) ?? counts;
      terminal.stdout.write(options.has("json") ? asJson(answer) : text);
      return 0;
    } catch (error) {
      bar.end();
      throw error;
    }
  },
};
