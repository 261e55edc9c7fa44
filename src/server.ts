import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { UserError } from "./lib/errors.ts";
import type { Log } from "./lib/log.ts";
import { nearest } from "./lib/text.ts";
import { allTools } from "./tools/all.ts";
import { parseArguments } from "./tools/arguments.ts";
import type { Tool, ToolContext } from "./tools/define-tool.ts";
import type { Workspace } from "./workspace/workspace.ts";

export interface ServerOptions {
  workspace: Workspace;
  log: Log;
  version: string;
  readOnly: boolean;
}

type Extra = Parameters<Parameters<Server["setRequestHandler"]>[1]>[1];

/** One MCP server over the workspace, to be connected to one client. */
export function createServer(options: ServerOptions): Server {
  const server = new Server(
    { name: "vibe", title: "vibe-mcp", version: options.version },
    { capabilities: { tools: {} }, instructions: instructions() },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: offeredTools(options).map(listedTool),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    answer(options, () => {
      const tool = findTool(options, params.name);
      const args = parseArguments(tool, params.arguments);
      return tool.handle(args, toolContext(options, extra, params._meta?.progressToken));
    }),
  );
  server.onerror = (error) => options.log.debug(`protocol: ${error.message}`);
  return server;
}

function instructions(): string {
  return [
    "Project context in Markdown: projects with tasks, plans, sessions and references.",
    "Start with list_projects; find with search (plain words, or FTS5 syntax), then read_doc the best hit.",
    "list_tasks with ready: true shows what can be started now; get_plan gives the plan behind it.",
  ].join("\n");
}

function offeredTools({ readOnly }: ServerOptions): readonly Tool[] {
  return allTools.filter((tool) => tool.access === "read" || !readOnly);
}

function listedTool(tool: Tool): ListedTool {
  const isRead = tool.access === "read";
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, "input"),
    outputSchema: jsonSchema(tool.output, "output"),
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: false,
      idempotentHint: isRead,
      openWorldHint: false,
    },
  };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): ListedTool["inputSchema"] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-7" });
  return { ...rest, type: "object" } as ListedTool["inputSchema"];
}

function findTool({ readOnly }: ServerOptions, name: string): Tool {
  const tool: Tool | undefined = allTools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = allTools.map((candidate) => candidate.name);
    const suggestions = nearest(name, names);
    const message = `There is no tool '${name.slice(0, 100)}'. Tools: ${names.join(", ")}.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { suggestions } });
  }
  if (readOnly && tool.access === "write") {
    const message = `This server is read-only: '${name}' is not available. Start it without --read-only to write.`;
    throw new UserError("READ_ONLY", message, { details: { tool: name } });
  }
  return tool;
}

function toolContext({ workspace }: ServerOptions, extra: Extra, progressToken: string | number | undefined) {
  const progress: ToolContext["progress"] = (done, total) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, total };
    void extra.sendNotification({ method: "notifications/progress", params }).catch(() => {});
  };
  return { workspace, signal: extra.signal, progress };
}

/** The error boundary: whatever happens below, the client gets an answer of the contract's shape. */
async function answer({ log }: ServerOptions, run: () => unknown): Promise<CallToolResult> {
  try {
    const result = (await run()) as Record<string, unknown>;
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    const { code, message, details } = toUserError(error, log);
    const envelope = { success: false, error: { code, message, details } };
    return { isError: true, content: [{ type: "text", text: JSON.stringify(envelope) }] };
  }
}

function toUserError(error: unknown, log: Log): UserError {
  if (error instanceof UserError) {
    if (error.cause instanceof Error) log.debug(`${error.code}: ${error.cause.message}`);
    return error;
  }
  log.error(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new UserError(
    "INDEX_ERROR",
    "Something unexpected went wrong in the server; its log on stderr tells more. The files are unharmed. Try again.",
  );
}
