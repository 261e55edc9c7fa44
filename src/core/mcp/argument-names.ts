import type * as z from "zod";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { listNames, quoteName } from "../lib/escape.ts";
import { isMisspelt, nearest } from "../lib/text.ts";
import { nameOfKey, plainKey } from "../notes/field-names.ts";
import { sectionNamed } from "../notes/words/section-names.ts";
import { schemaAt, shapeOf } from "./argument-schema.ts";
import type { Tool } from "./tool.ts";

export type ToolInput<Input extends z.ZodType = z.ZodType> = Pick<
  Tool<Input>,
  "name" | "access" | "input" | "argumentCode"
>;

/** A tool, and all that its client has. */
export type Called = ToolInput & { tools: readonly Tool[] };

export function codeOf({ argumentCode }: ToolInput, argument: string): ErrorCode {
  return argumentCode?.(argument) ?? "INVALID_ARGUMENT";
}

/** Other words for arguments, besides those for fields in notes. */
const WORDS: Record<string, string> = {
  query: "q question search term terms keyword keywords",
  project: "workspace repo repository",
  path: "file document doc uri url",
  filename: "name file",
  section: "heading header",
  limit: "max count top_k page_size max_results max_chars",
  title: "name subject",
  objective: "description goal purpose summary",
  content: "body text markdown message summary description details",
  note: "notes comment comments reason remark",
  status: "state done completed closed",
  task: "id number issue ticket path file filename",
  to_folder: "to destination dest target",
  focus: "task topic",
  steps: "todos checklist subtasks",
  related_files: "files",
  expected_hash: "hash sha etag checksum if_match version revision",
  dry_run: "dry preview simulate test noop what_if",
  mode: "operation position overwrite",
};

/** The arguments that a name may mean, its own first; in snake case. */
function meaningsOf(name: string): string[] {
  const key = plainKey(name).replaceAll(" ", "_");
  const others = Object.keys(WORDS).filter((argument) => WORDS[argument]?.split(" ").includes(key));
  return [...new Set([key, nameOfKey(name), ...others])];
}

/** Whether a name says an argument and more, or has letters of it wrong. */
function isLike(name: string, argument: string): boolean {
  const words = name.split("_");
  return argument.split("_").every((word) => words.includes(word)) || isMisspelt(name, argument);
}

/**
 * Arguments without those that clients add to every call: no tool of ours has their names, which are no other words for an
 * argument and misspell none of this tool's. What a caller says, and what bounds a deed, must not get lost.
 */
export function ownArguments({ input }: ToolInput, args: unknown, ours: () => ReadonlySet<string>) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return { own: args, ignored: [] };
  const names = Object.keys(shapeOf(input) ?? {});
  const isOwn = ([name, value]: [string, unknown]) => {
    const [key = "", ...others] = meaningsOf(name);
    if (names.includes(name) || others.length > 0 || ours().has(key)) return true;
    const compound = [...ours()].filter((one) => one.includes("_"));
    // CrewAI adds `security_context`, an object.
    const isText = typeof value !== "object" || Array.isArray(value);
    return isText && [...names, ...compound].some((one) => one.includes(key) || isLike(key, one));
  };
  const [own, ignored] = [true, false].map((is) => Object.entries(args).filter((one) => isOwn(one) === is));
  return { own: Object.fromEntries(own ?? []), ignored: (ignored ?? []).map(([name]) => name) };
}

const MAX_TOLD = 1000;

/** Says which arguments were ignored, each once for each tool. */
export function createIgnored() {
  const told = new Set<string>();
  return (tool: string, names: readonly string[]): string | undefined => {
    const fresh = names.filter((name) => !told.has(`${tool} ${name}`));
    if (told.size < MAX_TOLD) for (const name of fresh) told.add(`${tool} ${name}`);
    return fresh.length === 0 ? undefined : `${tool} takes no ${listNames(fresh, 5)}: ignored.`;
  };
}

export function unknownArgument(tool: Called, path: readonly PropertyKey[], name: string): UserError {
  const schema = schemaAt(tool.input, path);
  const names = Object.keys(shapeOf(schema) ?? {});
  const meanings = meaningsOf(name);
  const nested = names.flatMap((outer) => {
    const inner = Object.keys(shapeOf(shapeOf(schema)?.[outer]) ?? {});
    return meanings.filter((one) => inner.includes(one)).map((one) => `${outer}.${one}`);
  });
  const meant = [...meanings.filter((one) => names.includes(one)), ...nested];
  const [key = ""] = meanings;
  const own = meant.length > 0 ? meant : nearest(key, names).filter((near) => isLike(key, near));
  const way = own.length > 0 ? undefined : otherWay(tool, meanings);
  const hint = own[0] === undefined ? (way?.hint ?? "") : ` Did you mean '${own[0]}'?`;
  const message = `${quoteName(name, 100)} is not an argument of ${tool.name}.${hint} ${tool.name} takes: ${names.join(", ")}.`;
  return new UserError(codeOf(tool, ""), message, {
    details: { argument: name.slice(0, 100), suggestions: way === undefined ? own : [way.tool] },
  });
}

/** What a task is named by. */
const NAME_OF_TASK = "task";

/** How else the same can be done to the same task: by a tool that takes it, or else by a change of its text. */
function otherWay({ name, input, tools }: Called, meanings: readonly string[]) {
  const { access } = tools.find((tool) => tool.name === name) ?? {};
  const takes = (schema: unknown, argument: string) => Object.hasOwn(shapeOf(schema) ?? {}, argument);
  if (!takes(input, NAME_OF_TASK)) return undefined;
  for (const argument of meanings) {
    const isOther = (tool: Tool) => tool.access === access && takes(tool.input, NAME_OF_TASK);
    const other = tools.find((tool) => isOther(tool) && takes(tool.input, argument));
    if (other !== undefined)
      return { tool: other.name, hint: ` Did you mean ${other.name}, which has '${argument}'?` };
  }
  const section = meanings
    .map((one) => sectionNamed(one.replaceAll("_", " ")))
    .find((one) => one !== undefined);
  const writes = tools.some((tool) => tool.name === TEXT_TOOL);
  if (section === undefined || !writes) return undefined;
  return { tool: TEXT_TOOL, hint: ` ${TEXT_TOOL} with section '${section}' changes that text.` };
}

const TEXT_TOOL = "update_doc";
