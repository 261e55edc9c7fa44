import { counted } from "../../lib/text.ts";
import { type SearchToolAnswer, searchTool } from "../../mcp/tools/search.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { emptyWorkspace } from "../resolve-project.ts";
import { oneLine, type Paint, painter, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, words } = context;
  const args = {
    query: words.join(" "),
    also: options.texts("also"),
    limit: options.number("limit") ?? 10,
    project: options.text("project"),
    folder: options.text("folder"),
    status: options.text("status"),
    tag: options.text("tag"),
  };
  const answer = await callTool(context, searchTool, { args });
  print(context, answer, emptyWorkspace(context) ?? report(context, answer));
  return answer.results.length === 0 ? 1 : 0;
}

function report(context: CommandContext, answer: SearchToolAnswer): string {
  const { config, terminal, program } = context;
  const { total_matches: total, results, corrected_query: corrected, weak } = answer;
  const paint = painter(context);
  const [first] = results;
  if (first === undefined) return `Nothing found in ${config.root}.\nList what exists: ${program} projects\n`;
  const blocks = results.map((result) => block(result, paint));
  return [
    corrected === undefined ? "" : `Searched for: ${oneLine(corrected)}\n\n`,
    weak === true ? "Nothing matches well. Closest:\n\n" : "",
    `${blocks.join("\n")}\n`,
    total > results.length ? `${results.length} of ${counted(total, "document")}\n` : "",
    terminal.stdout.isTTY ? `${paint("dim", `Read one: ${program} show ${quoted(first.path)}`)}\n` : "",
  ].join("");
}

function block({ path, heading, snippet }: SearchToolAnswer["results"][number], paint: Paint): string {
  const marked = oneLine(snippet).replaceAll(/>>>(.*?)<<</g, (whole, hit: string) => {
    const painted = paint("yellow", hit);
    return painted === hit ? whole : painted;
  });
  const under = heading === null ? "" : `  ${paint("dim", oneLine(heading))}`;
  return `${paint("bold", oneLine(path))}${under}\n  ${marked}\n`;
}
