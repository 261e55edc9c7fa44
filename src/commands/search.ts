import { styleText } from "node:util";
import { UsageError } from "../config.ts";
import type { SearchResult } from "../index/search.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { Command, Terminal } from "./command.ts";

const SNIPPET_CHARS = 240;

export const searchCommand: Command = {
  name: "search",
  usage: '"words"',
  summary: "Search the workspace and print the best documents.",
  run: async ({ config, clock, log, words, flags, terminal }) => {
    const query = words.join(" ");
    if (query === "")
      throw new UsageError('search needs words to find, for example: vibe-mcp search "bearer token"');
    const workspace = openWorkspace({ config, clock, log });
    try {
      const project = flags.project === undefined ? undefined : workspace.findProject(flags.project);
      const { total, results } = await workspace.search({
        query,
        limit: flags.limit ?? 10,
        filter: { project },
      });
      terminal.stdout.write(
        flags.json ? asJson(query, total, results) : asText(config.root, { total, results }, terminal),
      );
      return 0;
    } finally {
      await workspace.close();
    }
  },
};

function asJson(query: string, total: number, results: SearchResult[]): string {
  const shown = results.map(({ snippet, ...result }) => ({ ...result, snippet: snippet(SNIPPET_CHARS) }));
  return `${JSON.stringify({ query, total_matches: total, results: shown }, null, 2)}\n`;
}

function asText(
  root: string,
  found: { total: number; results: SearchResult[] },
  { colors }: Terminal,
): string {
  const { total, results } = found;
  if (results.length === 0) return `Nothing found in ${root}.\n`;
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    colors ? styleText(format, text) : text;
  const blocks = results.map((result) => {
    const snippet = result.snippet(SNIPPET_CHARS);
    const marked = colors
      ? snippet.replaceAll(/>>>(.*?)<<</g, (_, hit: string) => style("yellow", hit))
      : snippet;
    const heading = result.heading === null ? "" : `  ${style("dim", result.heading)}`;
    return `${style("bold", result.path)}${heading}\n  ${marked}\n`;
  });
  const rest = total > results.length ? `${results.length} of ${total} documents\n` : "";
  return `${blocks.join("\n")}\n${rest}`;
}
