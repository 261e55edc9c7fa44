import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { partOf, readDocTool } from "../../core/mcp/tools/read-doc.ts";
import { projectNames } from "../../core/storage/list.ts";
import { findIfThere } from "../../core/workspace/find/document.ts";
import { matchName } from "../../core/workspace/find/entries.ts";
import { headingIn, ownPath } from "../../core/workspace/find/own-path.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { nameHere } from "../locate.ts";
import { projectHereIfAny } from "../resolve-project.ts";
import { markdownForTerminal, print, quoted } from "../terminal.ts";
import { showFiles } from "./projects.ts";

export async function run(context: CommandContext): Promise<number> {
  const project = projectOnly(context);
  if (project !== undefined) return showFiles(context, project);
  const document = await readWhole(context);
  const { content } = document;
  if (context.terminal.stdout.isTTY && !context.options.has("json"))
    context.terminal.stdout.write(markdownForTerminal(context, content));
  // A pipe gets the raw text.
  else print(context, document, content);
  return 0;
}

/** The project that is named in the place of a document, unless the current project has a document of that name. */
function projectOnly(context: CommandContext): string | undefined {
  const { config, options, words } = context;
  const typed = ownPath(config.root, words[0] ?? "").replace(/\/$/, "");
  const name = matchName(projectNames(config.root), typed);
  if (options.text("project") !== undefined || name === undefined) return undefined;
  const project = projectHereIfAny(context, undefined);
  const root = { project, folder: "", filename: name };
  if (project !== undefined && findIfThere(config.root, root) !== undefined) return undefined;
  if (!options.has("section")) return name;
  const message = `${quoteName(name)} is a project: --section needs a document. \`${context.program} projects ${quoted(name)}\` lists them.`;
  throw new UserError("FILE_NOT_FOUND", message);
}

/** People read a document without waiting for the index. */
const withoutLinks: typeof readDocTool = {
  ...readDocTool,
  handle: async (args, { workspace }) => partOf(await workspace.readAny(args), args),
};

/** The tool's answer with the whole content, however long. */
async function readWhole(context: CommandContext) {
  const [word = ""] = context.words;
  const name = nameHere(context, word);
  const tool = context.options.has("json") ? readDocTool : withoutLinks;
  const read = (offset: number) => {
    const args = { ...name, section: context.options.text("section") ?? headingIn(word), offset };
    return callTool(context, tool, { args });
  };
  const { truncated: _, total_chars, next_offset, ...document } = await read(0);
  let content = document.content;
  for (let next = next_offset; next !== undefined; ) {
    const page = await read(next);
    content += page.content;
    next = page.next_offset;
  }
  return { ...document, content, ...(total_chars !== undefined && { total_chars }) };
}
