import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type Tool as ListedTool,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  LoggingLevelSchema,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Dialect } from "./dialect.ts";
import { instructions } from "./instructions.ts";
import { complete } from "./lib/completion.ts";
import { UserError } from "./lib/errors.ts";
import { escapeJson, escapeUnseen, quoteName } from "./lib/escape.ts";
import type { Log } from "./lib/log.ts";
import { once } from "./lib/once.ts";
import { nearest } from "./lib/text.ts";
import { completePrompt, getPrompt } from "./prompts/get.ts";
import { completeTemplate } from "./resources/complete.ts";
import { listResources } from "./resources/list.ts";
import { readResource } from "./resources/read.ts";
import { createSubscriptions } from "./resources/subscriptions.ts";
import { TEMPLATES } from "./resources/templates.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { parseArguments } from "./tools/arguments.ts";
import { type CurrentProject, createCurrentProject } from "./workspace/current-project.ts";
import type { Vault } from "./workspace/vault.ts";
import type { Workspace } from "./workspace/workspace.ts";

export interface ServerOptions {
  workspace: Workspace;
  vault: Vault;
  log: Log;
  version: string;
  readOnly: boolean;
  dialect: Dialect;
  /** Whether the client can be told of changes: it keeps its connection. */
  notify: boolean;
  /** The folder that the client started this server in (absolute), where there is such a folder. */
  folder?: string | undefined;
}

/** A call with arguments of any kind: what is wrong with them is said by our own check. */
const callRequest = once(() =>
  CallToolRequestSchema.extend({
    params: CallToolRequestSchema.shape.params.extend({ arguments: z.unknown() }),
  }),
);

type Extra = Parameters<Parameters<Server["setRequestHandler"]>[1]>[1];

/** One MCP server over the workspace, to be connected to one client. */
export function createServer(options: ServerOptions): Server {
  const { workspace } = options;
  // Functions that are generated for a schema at its first use take longer than they save: most schemas are used once.
  z.config({ jitless: true });
  const current = createCurrentProject(workspace.root, options.folder);
  const server = new Server(
    { name: "vibe", title: "vibe-mcp", version: options.version },
    {
      capabilities: {
        ...{ tools: {}, prompts: {}, completions: {} },
        ...(options.notify && { logging: {} }),
        resources: options.notify ? { subscribe: true, listChanged: true } : {},
      },
      instructions: instructions(
        { projects: projectNames(options), likely: current.project(), readOnly: options.readOnly },
        options.dialect.guide,
      ),
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: offeredTools(options).map(listedTool),
  }));
  // The server class would check the arguments first and answer in its own words: the one above it does not.
  Protocol.prototype.setRequestHandler.call(server, callRequest(), ({ params }, extra) =>
    answer(options, () => {
      const tool = findTool(options, params.name);
      const args = parseArguments(tool, params.arguments);
      const preferred = current.project();
      return tool.handle(args, { ...toolContext(options, extra, params._meta?.progressToken), preferred });
    }),
  );
  serveResources(server, options);
  if (options.notify) serveNotifications(server, options);
  servePrompts(server, options);
  const askRoots = () => void followRoots(server, current, options.log);
  // The answer to `initialize` is out by now.
  server.oninitialized = () => {
    options.workspace.warm();
    askRoots();
  };
  server.setNotificationHandler(RootsListChangedNotificationSchema, askRoots);
  server.onerror = (error) => options.log.debug(`protocol: ${error.message}`);
  return server;
}

/** A disk that fails for a moment keeps no server from starting: the calls that need it will tell. */
function projectNames({ workspace, log }: ServerOptions): string[] | undefined {
  try {
    return workspace.projectNames();
  } catch (error) {
    log.warn(`the projects cannot be listed: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

const ROOTS_MS = 10_000;

/** Asks a client that has roots for them; one that refuses, or does not answer, changes nothing. */
async function followRoots(server: Server, current: CurrentProject, log: Log): Promise<void> {
  if (server.getClientCapabilities()?.roots === undefined) return;
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
    current.follow(roots.map(({ uri }) => uri));
  } catch (error) {
    log.debug(`the client did not tell its roots: ${error instanceof Error ? error.message : error}`);
  }
}

function serveResources(server: Server, options: ServerOptions): void {
  const { workspace, dialect } = options;
  const format = dialect.resources;
  const typed = <T extends object>(items: T[]) =>
    items.map((item) => ({ ...item, mimeType: format.mimeType }));
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    guarded(options, async () => {
      const page = await listResources(workspace, params?.cursor);
      return { ...page, resources: typed(page.resources) };
    }),
  );
  const resourceTemplates = typed(TEMPLATES);
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    guarded(options, () => readResource(workspace, uri, format), uri),
  );
}

/** What a client is told without asking each time; its connection has to last. */
function serveNotifications(server: Server, options: ServerOptions): void {
  const subscriptions = createSubscriptions(options.workspace, {
    updated: (uri) => server.sendResourceUpdated({ uri }),
    listChanged: () => server.sendResourceListChanged(),
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) =>
    guarded(options, () => subscriptions.subscribe(uri).then(() => ({})), uri),
  );
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions.unsubscribe(uri);
    return {};
  });
  const deaf = serveLog(server, options.log);
  server.onclose = () => {
    subscriptions.close();
    deaf();
  };
}

const LEVELS = LoggingLevelSchema.options;

/** Errors and warnings of the log, for a client that says from which level on. Answers how to stop. */
function serveLog(server: Server, log: Log): () => void {
  let least = LEVELS.length;
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    least = LEVELS.indexOf(params.level);
    return {};
  });
  return log.hear((name, data) => {
    const level = name === "warn" ? "warning" : name;
    if (LEVELS.indexOf(level) < least) return;
    const params = { level, logger: "vibe-mcp", data } as const;
    // A client that is gone hears nothing.
    void server.notification({ method: "notifications/message", params }).catch(() => {});
  });
}

function servePrompts(server: Server, options: ServerOptions): void {
  const { workspace } = options;
  const offer = { workspace, prompts: options.dialect.prompts };
  const prompts = offer.prompts.map(({ render: _, arguments: args, ...prompt }) => ({
    ...prompt,
    arguments: args.map(({ name, description, required }) => ({ name, description, required })),
  }));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    guarded(options, async () => ({ ...(await getPrompt(offer, params.name, params.arguments)) })),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument, context } }) =>
    guarded(options, async () => {
      const wanted = { argument: argument.name, known: context?.arguments ?? {} };
      const values =
        ref.type === "ref/prompt"
          ? await completePrompt(offer, ref.name, wanted)
          : await completeTemplate(workspace, { uri: ref.uri, ...wanted });
      return { completion: { ...complete(values, argument.value) } };
    }),
  );
}

function offeredTools({ readOnly, dialect }: ServerOptions): readonly Tool[] {
  return dialect.tools.filter((tool) => tool.access === "read" || !readOnly);
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
      destructiveHint: tool.destructive === true,
      idempotentHint: isRead,
      openWorldHint: false,
    },
  };
}

/** As short as it can be said: every client pays for it in every session. */
function jsonSchema(schema: z.ZodType, io: "input" | "output"): ListedTool["inputSchema"] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-7",
    override: ({ jsonSchema: part }) => {
      delete part.propertyNames;
      if (part.additionalProperties === false || io === "input") delete part.additionalProperties;
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
    },
  });
  return { ...rest, type: "object" } as ListedTool["inputSchema"];
}

function findTool(options: ServerOptions, name: string): Tool {
  const tool = options.dialect.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = offeredTools(options).map((candidate) => candidate.name);
    const message = `This server offers no tool ${quoteName(name, 100)}. It offers: ${names.join(", ")}.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { suggestions: nearest(name, names) } });
  }
  if (options.readOnly && tool.access === "write") {
    const message = `This server is read-only: '${name}' is not available. Whoever runs it can start it without --read-only, or give you a token that may write.`;
    throw new UserError("READ_ONLY", message, { details: { tool: name } });
  }
  return tool;
}

function toolContext(
  { workspace, vault }: ServerOptions,
  extra: Extra,
  progressToken: string | number | undefined,
): ToolContext {
  const progress: ToolContext["progress"] = (done, total) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, total };
    void extra.sendNotification({ method: "notifications/progress", params }).catch(() => {});
  };
  return { workspace, vault, signal: extra.signal, progress };
}

/** The error boundary: whatever happens below, the client gets an answer of the contract's shape. */
async function answer({ log, dialect }: ServerOptions, run: () => unknown): Promise<CallToolResult> {
  const { text, failure } = dialect;
  try {
    const result = (await run()) as Record<string, unknown>;
    return { content: [{ type: "text", text: text(result) }], structuredContent: result };
  } catch (thrown) {
    const error = toUserError(thrown, log);
    const inWords = failure(error);
    const shown = inWords === null ? envelope(error) : escapeUnseen(inWords);
    return { isError: true, content: [{ type: "text", text: shown }] };
  }
}

function envelope({ code, message, details }: UserError): string {
  return escapeJson(JSON.stringify({ success: false, error: { code, message, details } }));
}

/** The same boundary for what answers with the protocol's own errors; `uri` is the resource that was asked for. */
async function guarded<T>({ log }: ServerOptions, run: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw protocolError(toUserError(error, log), uri);
  }
}

const RESOURCE_NOT_FOUND = -32002;
const OUR_FAULT = ["INDEX_ERROR", "FILESYSTEM_ERROR"];

/** Not the SDK's McpError, which puts words of its own before the message. */
function protocolError({ code, message, details }: UserError, uri: string | undefined): Error {
  if (OUR_FAULT.includes(code)) return Object.assign(new Error(message), { code: ErrorCode.InternalError });
  if (uri === undefined || code === "INVALID_ARGUMENT")
    return Object.assign(new Error(message), { code: ErrorCode.InvalidParams, data: details });
  const text = `Resource not found: ${message}`;
  return Object.assign(new Error(text), { code: RESOURCE_NOT_FOUND, data: { uri } });
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
