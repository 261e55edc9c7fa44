import * as z from "zod";
import { UsageError } from "../config/options.ts";
import { once, remember } from "../lib/collections.ts";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import type { CurrentProject } from "../workspace/place/current-project.ts";
import type { Vault } from "../workspace/vault.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Again } from "./again.ts";
import { projectHere } from "./here.ts";
import type { PartsRead } from "./parts-read.ts";
import type { Say } from "./words.ts";

/** What a handler may use besides its arguments. */
export interface ToolContext {
  workspace: Workspace;
  vault: Vault;
  signal: AbortSignal;
  /** The project the client works on. */
  current: CurrentProject;
  /** What it read of documents so far. */
  parts: PartsRead;
  /** Whether a block is the last one at its place, where it put it just now. */
  again: Again;
  /** A text without what this client cannot do. */
  say: Say;
}

/** One tool as a value: the server, the documentation and the tests are derived from it. */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  access: "read" | "write";
  /** Whether it can replace existing text. */
  destructive?: boolean;
  /** Whether an answer can be longer than clients show by default. */
  longAnswers?: boolean;
  /** Whether a client that loads tools on demand should have it from the start. */
  alwaysLoad?: boolean;
  /** What such a client finds it by. */
  searchHint?: string;
  /** Whether clients get the schema of its answer: of those that lead to the next call, not of receipts. */
  listsAnswer?: boolean;
  input: Input;
  output: Output;
  /** The code of a wrong argument, for tools with their own codes. */
  argumentCode?: (argument: string) => ErrorCode;
  /** Returns plain data in the shape of `output`; throws UserError. */
  handle(args: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

/** A tool as its file defines it. Schemas are made at their first use, to start faster. */
export type ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> = Omit<
  Tool<Input, Output>,
  "input" | "output"
> & { input: () => Input; output: () => Output };

export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  tool: ToolDefinition<Input, Output>,
): Tool<Input, Output> {
  const [input, output] = [once(tool.input), once(tool.output)];
  return {
    ...tool,
    get input() {
      return input();
    },
    get output() {
      return output();
    },
  };
}

type ProjectInput = z.ZodType<{ project?: string | undefined }>;
type ProjectHandle<Input extends z.ZodType, Output extends z.ZodType> = (
  args: z.output<Input> & { project: string },
  context: ToolContext,
) => ReturnType<Tool<Input, Output>["handle"]>;

/** A tool for one project, by default the one the client works on: `handle` gets its name as it is on the disk. Throws PROJECT_NOT_FOUND. */
export function defineProjectTool<Input extends ProjectInput, Output extends z.ZodType>(
  tool: Omit<ToolDefinition<Input, Output>, "handle"> & { handle: ProjectHandle<Input, Output> },
): Tool<Input, Output> {
  return defineTool<Input, Output>({
    ...tool,
    handle: async (args, context) =>
      tool.handle({ ...args, project: await projectHere(args.project, context.current) }, context),
  });
}

/** The result of a tool. */
export type ToolAnswer<T extends Tool> = z.output<T["output"]>;

export function offeredTools(tools: readonly Tool[], readOnly: boolean): readonly Tool[] {
  return readOnly ? tools.filter(({ access }) => access === "read") : tools;
}

/** The tool a client calls. Throws INVALID_ARGUMENT for an unknown name. */
export function findTool(tools: readonly Tool[], name: string, readOnly: boolean): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = offeredTools(tools, readOnly).map((candidate) => candidate.name);
    const message = `This server has no tool ${quoteName(name, 100)}. It has: ${names.join(", ")}.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { suggestions: nearest(name, names) } });
  }
  return tool;
}

/** Throws READ_ONLY for a tool that writes. */
export function refuseWriting({ name, access }: Tool): void {
  if (access === "read") return;
  const message = `This connection is read-only: '${name}' is not available. The operator can start the server without --read-only, or give you a token that may write.`;
  throw new UserError("READ_ONLY", message, { details: { tool: name } });
}

/**
 * Claude Code moves an answer of over 50,000 characters to a file. This covers a part of a document with every character
 * escaped; whatever is longer is better off in a file.
 */
const LONG_ANSWERS = { "anthropic/maxResultSizeChars": 100_000 };

/** What Claude Code reads of a tool, and others ignore. */
function metaOf({ longAnswers, alwaysLoad, searchHint }: Tool): { _meta?: Record<string, unknown> } {
  const meta = {
    ...(longAnswers && LONG_ANSWERS),
    ...(alwaysLoad && { "anthropic/alwaysLoad": true }),
    ...(searchHint !== undefined && { "anthropic/searchHint": searchHint }),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

/** A tool as `tools/list` shows it to one client. */
export function saidTool(tool: Tool, say: Say): ReturnType<typeof listedTool> {
  const json = JSON.stringify(listedTool(tool));
  return JSON.parse(json, (key, value) =>
    key === "description" && typeof value === "string" ? say(value) || undefined : value,
  );
}

/** A tool as `tools/list` shows it to a client that has all of them. */
export const listedTool = remember((tool: Tool) => {
  const { name, title, description, access, destructive = false, input } = tool;
  const readOnlyHint = access === "read";
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(input, "input"),
    ...(tool.listsAnswer && { outputSchema: answerSchema(tool) }),
    annotations: {
      readOnlyHint,
      destructiveHint: destructive,
      idempotentHint: readOnlyHint,
      openWorldHint: false,
    },
    ...metaOf(tool),
  };
});

export function answerSchema(tool: Tool): JsonSchema {
  return jsonSchema(tool.output, "output");
}

type JsonSchema = { type: "object" };

/** As short as possible: every client pays for it in every session. */
function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-7",
    override: ({ jsonSchema: part }) => {
      if (io === "input") dropNull(part);
      delete part.propertyNames;
      if (part.type === "boolean") delete part.enum;
      if (part.additionalProperties === false || io === "input") delete part.additionalProperties;
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
    },
  });
  return { ...rest, type: "object" };
}

/** The schemas of some models know one type for a value, and no null: it is taken where it means something. */
function dropNull(part: z.core.JSONSchema.BaseSchema): void {
  const forms = part.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (forms.length !== 1) return;
  delete part.anyOf;
  Object.assign(part, forms[0]);
}

const CORE = [
  "search",
  "read_doc",
  "list_tasks",
  "create_task",
  "update_task_status",
  "log_session",
  "claim_task",
  "update_task",
];

const GROUPS: Record<string, (tool: Tool) => boolean> = {
  all: () => true,
  // API v1 prefixes the names of tools that write.
  core: ({ name }) => CORE.includes(name.replace(/^tool_/, "")),
  read: ({ access }) => access === "read",
  write: ({ access }) => access === "write",
  vault: ({ name }) => name.startsWith("vault_"),
};

/** The tools in a comma-separated list of names and groups. Throws UsageError for an unknown name. */
export function selectTools(tools: readonly Tool[], list: string): readonly Tool[] {
  const words = list.split(",").map((word) => word.trim().toLowerCase());
  const groups = words.map((word) => groupOf(tools, word));
  return tools.filter((tool) => groups.some((includes) => includes(tool)));
}

function groupOf(tools: readonly Tool[], word: string): (tool: Tool) => boolean {
  const group = Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined;
  if (group !== undefined) return group;
  if (tools.some(({ name }) => name === word)) return ({ name }) => name === word;
  const groups = Object.keys(GROUPS);
  const [suggestion] = nearest(word, [...groups, ...tools.map(({ name }) => name)], 1);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  throw new UsageError(`--tools knows no "${word}".${hint} It takes ${groups.join(", ")} and tool names`);
}
