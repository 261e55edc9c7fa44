import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { readDocTool, readPart } from "../../mcp/tools/read-doc.ts";
import { locateDocument } from "../../notes/document.ts";
import { STANDARD_FOLDERS } from "../../notes/names.ts";
import { listFolder, projectNames } from "../../storage/list.ts";
import { findTask } from "../../workspace/tasks.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { page } from "../pager.ts";
import { projectHere, projectHereIfAny } from "../resolve-project.ts";
import { markdownForTerminal, print, quoted } from "../terminal.ts";
import { showFiles } from "./projects.ts";

export async function run(context: CommandContext): Promise<number> {
  const project = projectOnly(context);
  if (project !== undefined) return showFiles(context, project);
  const document = await readWhole(context);
  const { content } = document;
  if (context.terminal.stdout.isTTY && !context.options.has("json"))
    await page(context, markdownForTerminal(context, content));
  // A pipe gets the raw text.
  else print(context, document, content);
  return 0;
}

/** The project that is named in the place of a document, unless the current project has a document of that name. */
function projectOnly(context: CommandContext): string | undefined {
  const { config, options, words } = context;
  const name = (words[0] ?? "").replace(/\/$/, "");
  if (options.text("project") !== undefined || !projectNames(config.root).includes(name)) return undefined;
  const here = projectHereIfAny(context, undefined);
  if (here !== undefined && hasDocument(listFolder(config.root, here).files, name)) return undefined;
  if (!options.has("section")) return name;
  const message = `${quoteName(name)} is a project: --section needs a document. \`${context.program} projects ${quoted(name)}\` lists them.`;
  throw new UserError("FILE_NOT_FOUND", message);
}

/** People read a document without waiting for the index. */
const withoutLinks: typeof readDocTool = {
  ...readDocTool,
  handle: (args, { workspace }) => readPart(args, workspace),
};

/** The tool's answer with the whole content, however long. */
async function readWhole(context: CommandContext) {
  const name = locate(context, context.words[0] ?? "");
  const tool = context.options.has("json") ? readDocTool : withoutLinks;
  const read = (offset: number) => {
    const args = { ...name, section: context.options.text("section"), offset };
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

/** Accepts a path that starts with a project, a path in this folder's project, or a task's number or name. */
export function locate(context: CommandContext, document: string) {
  const { root } = context.config;
  const named = context.options.text("project");
  const parts = document.replace(/^\.?\//, "").split("/");
  const first = named === undefined ? projectOfPath(context, parts) : undefined;
  if (first !== undefined) return location(context, first, parts.slice(1).join("/"));
  const project = projectHere(context, named);
  const isTask =
    parts.length === 1 &&
    (/^#?\d{1,9}$/.test(document) || !hasDocument(listFolder(root, project).files, document));
  if (!isTask) return location(context, project, parts.join("/"));
  return findTask(root, project, document);
}

/** The project that a path starts with; any first folder is taken for one if this folder has no project. */
function projectOfPath(context: CommandContext, [first = "", ...rest]: readonly string[]) {
  if (rest.length === 0) return undefined;
  if (projectNames(context.config.root).includes(first)) return first;
  const isFolder = STANDARD_FOLDERS.some((folder) => folder === first);
  if (isFolder || projectHereIfAny(context, undefined) !== undefined) return undefined;
  return projectHere(context, first);
}

function location({ program }: CommandContext, project: string, path: string) {
  const found = locateDocument(`${project}/${/\.md$/i.test(path) ? path : `${path}.md`}`);
  if (found !== null) return found;
  const message = `${quoteName(path)} is not the path of a document. \`${program} projects\` lists them.`;
  throw new UserError("FILE_NOT_FOUND", message);
}

function hasDocument(files: readonly string[], name: string): boolean {
  return files.includes(name) || files.includes(`${name}.md`);
}
