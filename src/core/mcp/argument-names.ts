import type * as z from "zod";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { listNames, quoteName } from "../lib/escape.ts";
import { editDistance, isTypo, nearest } from "../lib/text.ts";
import { nameOfKey, plainKey } from "../notes/field-names.ts";
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
  task: "id number issue ticket",
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

/** Whether a name has letters of an argument's wrong, or says more than it. */
function isMisspelt(name: string, argument: string): boolean {
  const words = name.split("_");
  if (argument.split("_").every((word) => words.includes(word))) return true;
  // Hardly anybody mistakes the first letter.
  const most = name[0] === argument[0] ? Math.ceil(name.length / 4) : 1;
  return argument.includes(name) || editDistance(name, argument, most) <= most;
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
    return isText && [...names, ...compound].some((one) => isMisspelt(key, one));
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
  const own = [...meanings.filter((one) => names.includes(one)), ...nested];
  const suggestions = own.length > 0 ? own : nearest(name, names).filter((near) => isTypo(name, near));
  const others = suggestions.length > 0 ? [] : meanings.map((one) => relatedTool(tool, one));
  const other = others.find((one) => one !== undefined);
  const meant = suggestions[0] === undefined ? "" : ` Did you mean '${suggestions[0]}'?`;
  const hint = other === undefined ? `${meant} It` : ` Did you mean ${other}, which has it? ${tool.name}`;
  const message = `${quoteName(name, 100)} is not an argument of ${tool.name}.${hint} takes: ${names.join(", ")}.`;
  return new UserError(codeOf(tool, ""), message, {
    details: { argument: name.slice(0, 100), suggestions: other === undefined ? suggestions : [other] },
  });
}

/** What the names of a group have in common. */
const PREFIX = /^(?:tool|vault)_/;

/** The other tool for the same things that has this argument: update_task_status takes the `status` that update_task does not. */
function relatedTool({ name, tools }: Called, argument: string): string | undefined {
  const { access } = tools.find((tool) => tool.name === name) ?? {};
  const words = name.replace(PREFIX, "").split("_");
  const shared = (tool: Tool) => tool.name.split("_").filter((word) => words.includes(word)).length;
  const having = tools.filter(
    (tool) =>
      tool.access === access && shared(tool) > 0 && Object.hasOwn(shapeOf(tool.input) ?? {}, argument),
  );
  return having.toSorted((a, b) => shared(b) - shared(a))[0]?.name;
}
