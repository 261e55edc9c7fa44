import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { callTool } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { projectHere, projectHereIfAny } from "./here.ts";
import { JSON_OPTION, PROJECT_OPTION } from "./options.ts";
import { asJson, painter, printable } from "./paint.ts";

export const showCommand: Command = {
  name: "show",
  summary: "Print a document: by its path, as search prints it, or a task by its number.",
  words: [
    {
      name: "document",
      help: "a path such as payments-api/status.md or tasks/004-add-login.md, or a task's number",
      required: true,
      values: "task",
    },
  ],
  options: [
    PROJECT_OPTION,
    { flag: "section", value: "heading", help: "Only the section under this heading." },
    JSON_OPTION,
  ],
  example: "show payments-api/status.md",
  run: async (context) => {
    const { options, terminal } = context;
    const document = await readWhole(context);
    if (options.has("json")) terminal.stdout.write(asJson(document));
    // A pipe gets the text as it is in the file.
    else
      terminal.stdout.write(terminal.stdout.isTTY ? onTerminal(context, document.content) : document.content);
    return 0;
  },
};

/** The answer of the tool with the whole content, however long it is. */
async function readWhole(context: CommandContext) {
  const { readDocTool } = await import("../tools/read-doc.ts");
  const name = await locate(context, context.words[0] ?? "");
  const read = (offset: number) => {
    const args = { ...name, section: context.options.text("section"), offset };
    return callTool(context, readDocTool, { args });
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

/** A path that begins with a project, one inside the project of this folder, or a task's number or name. */
async function locate(context: CommandContext, document: string) {
  const { config, options } = context;
  const named = options.text("project");
  const parts = document.replace(/^\.?\//, "").split("/");
  const first = named === undefined ? await projectOfPath(context, parts) : undefined;
  if (first !== undefined) return placed(context, first, parts.slice(1).join("/"));
  const project = await projectHere(context, named);
  if (parts.length > 1 || !/^#?\d{1,9}$/.test(document)) {
    const isRoot = parts.length === 1 && (await exists(context, project, document));
    if (parts.length > 1 || isRoot) return placed(context, project, parts.join("/"));
  }
  const { findTaskFile } = await import("../workspace/tasks.ts");
  return { project, folder: "tasks", filename: findTaskFile(config.root, project, document) };
}

/** The project that a path begins with: one that exists, or what is meant for one where this folder has none. */
async function projectOfPath(context: CommandContext, [first = "", ...rest]: readonly string[]) {
  if (rest.length === 0) return undefined;
  const { listFolder } = await import("../files/list.ts");
  if (listFolder(context.config.root, "").folders.includes(first)) return first;
  const { STANDARD_FOLDERS } = await import("../domain/names.ts");
  const isFolder = STANDARD_FOLDERS.some((folder) => folder === first);
  if (isFolder || (await projectHereIfAny(context, undefined)) !== undefined) return undefined;
  return projectHere(context, first);
}

async function placed({ program }: CommandContext, project: string, path: string) {
  const { locateDocument } = await import("../domain/document.ts");
  const location = locateDocument(`${project}/${/\.md$/i.test(path) ? path : `${path}.md`}`);
  if (location !== null) return location;
  const message = `${quoteName(path)} is not the path of a document. \`${program} projects\` shows them.`;
  throw new UserError("FILE_NOT_FOUND", message);
}

async function exists({ config }: CommandContext, project: string, name: string): Promise<boolean> {
  const { listFolder } = await import("../files/list.ts");
  return listFolder(config.root, project).files.some((file) => file === name || file === `${name}.md`);
}

function onTerminal({ terminal }: CommandContext, content: string): string {
  const paint = painter(terminal);
  const text = printable(content).replace(/^#{1,6} .*$/gm, (heading) => paint("bold", heading));
  return text.endsWith("\n") ? text : `${text}\n`;
}
