import { counted } from "../lib/text.ts";
import type { SearchToolAnswer } from "../tools/search.ts";
import { callTool } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { emptyWorkspace, projectHereIfAny } from "./here.ts";
import { JSON_OPTION, limitOption, PROJECT_OPTION, STATUS_OPTION } from "./options.ts";
import { asJson, oneLine, type Paint, painter, quoted } from "./paint.ts";

export const searchCommand: Command = {
  name: "search",
  summary: "Search the workspace and print the best documents.",
  words: [{ name: "words", help: "words to find", required: true, many: true }],
  options: [
    {
      ...PROJECT_OPTION,
      help: "Only in this project; else everywhere, this folder's project first among equals.",
    },
    { flag: "folder", value: "name", help: "Only in this folder of the projects, e.g. tasks." },
    STATUS_OPTION,
    { flag: "tag", value: "tag", help: "Only documents with this tag." },
    limitOption(100, "How many documents at most (10)."),
    JSON_OPTION,
  ],
  example: 'search "bearer token"',
  run: async (context) => {
    const { options, terminal, words } = context;
    const { searchTool } = await import("../tools/search.ts");
    const named = {
      project: options.text("project"),
      folder: options.text("folder"),
      tag: options.text("tag"),
    };
    const args = {
      query: words.join(" "),
      limit: options.number("limit") ?? 10,
      status: options.text("status"),
    };
    const preferred = await projectHereIfAny(context, undefined);
    const found = await callTool(context, searchTool, { args: { ...args, ...named }, preferred });
    const empty = await emptyWorkspace(context);
    terminal.stdout.write(options.has("json") ? asJson(found) : (empty ?? report(context, found)));
    return found.results.length === 0 ? 1 : 0;
  },
};

function report({ config, terminal, program }: CommandContext, found: SearchToolAnswer): string {
  const { total_matches: total, results } = found;
  const paint = painter(terminal);
  if (results.length === 0) {
    return `Nothing found in ${config.root}.\nSee what there is: ${program} projects\n`;
  }
  const corrected =
    found.corrected_query === undefined ? "" : `Searched for: ${oneLine(found.corrected_query)}\n\n`;
  const blocks = results.map((result) => block(result, paint));
  const rest = total > results.length ? `${results.length} of ${counted(total, "document")}\n` : "";
  const [first] = results;
  const hint =
    terminal.stdout.isTTY && first !== undefined
      ? `${paint("dim", `Read one: ${program} show ${quoted(first.path)}`)}\n`
      : "";
  return `${corrected}${blocks.join("\n")}\n${rest}${hint}`;
}

function block({ path, heading, snippet }: SearchToolAnswer["results"][number], paint: Paint): string {
  const marked = oneLine(snippet).replaceAll(/>>>(.*?)<<</g, (whole, hit: string) => {
    const painted = paint("yellow", hit);
    return painted === hit ? whole : painted;
  });
  const under = heading === null ? "" : `  ${paint("dim", oneLine(heading))}`;
  return `${paint("bold", oneLine(path))}${under}\n  ${marked}\n`;
}
