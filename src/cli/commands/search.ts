import { CLOSE, OPEN, partsOf } from "../../core/lib/marks.ts";
import { counted } from "../../core/lib/text.ts";
import { boxAt } from "../../core/markdown/box.ts";
import { type SearchToolAnswer, searchForPeople } from "../../core/mcp/tools/search.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { emptyWorkspace } from "../resolve-project.ts";
import { notify, oneLine, type Paint, painter, print, quoted } from "../terminal.ts";

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
  const answer = await callTool(context, searchForPeople, { args });
  const { results, total_matches: total, archived_matches: archived = 0, weak, hint } = answer;
  const { corrected_query: corrected } = answer;
  const [first] = results;
  if (corrected !== undefined) notify(context, `Searched for: ${oneLine(corrected)}\n\n`);
  if (weak === true) notify(context, "Nothing matches well. Closest:\n\n");
  print(context, answer, results.map((result) => block(result, painter(context))).join("\n"));
  if (first === undefined) notify(context, emptyWorkspace(context) ?? nothingFound(context, hint));
  if (total > results.length) notify(context, `\n${results.length} of ${counted(total, "document")}\n`);
  if (archived > 0)
    notify(context, `\n${counted(archived, "archived document")}: add --folder archive to search there\n`);
  if (first !== undefined && context.terminal.stdout.isTTY)
    notify(context, `\nRead one: ${context.program} show ${quoted(first.path)}\n`);
  return first === undefined ? 1 : 0;
}

function nothingFound({ config, program }: CommandContext, hint?: string): string {
  const why = hint === undefined ? "" : ` ${hint}`;
  return `Nothing found in ${config.root}.${why}\nList what exists: ${program} projects\n`;
}

/** A checkbox, whose mark may be a match. */
const MARKED = new RegExp(
  `(?<=^|\\s)(?:[-*+] |\\d+[.)] )?\\[(?:${OPEN})?([^[\\]]\\uFE0F?)(?:${CLOSE})?\\] `,
  "gu",
);

/** Other marks than these two stay. */
function shownBox(written: string, mark: string): string {
  if (mark === " ") return "☐ ";
  return boxAt(`[${mark}]`)?.isDone === true ? "☑ " : written;
}

/** Without the marks of tables and lists, whose lines follow each other here. */
function readable(snippet: string): string {
  return snippet
    .replaceAll(/(?:\|\s*:?-{2,}:?\s*)+(?=\|)/g, "")
    .replaceAll(/(?:\s*(?<!\\)\|)+\s*/g, " · ")
    .replaceAll(MARKED, shownBox)
    .replaceAll(/(?<=\S )[-*+] (?=\S)/g, "· ")
    .replace(/^[-*+] /, "")
    .replace(/^ · | · $/g, "");
}

/** Hits are highlighted on a terminal, and elsewhere not marked. */
function block(
  { path, heading, snippet, outdated }: SearchToolAnswer["results"][number],
  paint: Paint,
): string {
  const shown = partsOf(readable(oneLine(snippet)))
    .map(({ text, isMatch }) => (isMatch ? paint("yellow", text) : text))
    .join("");
  const under = heading === null ? "" : `  ${paint("dim", oneLine(heading))}`;
  const mark = outdated === undefined ? "" : `  ${paint("yellow", `(${oneLine(outdated)})`)}`;
  return `${paint("bold", oneLine(path))}${under}${mark}\n  ${shown}\n`;
}
