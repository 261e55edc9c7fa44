import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
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
import { once } from "../lib/collections.ts";
import type { Log } from "../lib/log.ts";
import { complete } from "../lib/text.ts";
import {
  type CurrentProject,
  createCurrentProject,
  type ProjectSources,
} from "../workspace/current-project.ts";
import type { Vault } from "../workspace/vault.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Api, instructions } from "./api.ts";
import { parseArguments } from "./arguments.ts";
import { protocolResult, toolResult } from "./error-boundary.ts";
import { completePrompt, getPrompt } from "./prompts/prompts.ts";
import { completeTemplate, listResources } from "./resources/list.ts";
import { readResource, TEMPLATES } from "./resources/resource.ts";
import { createSubscriptions } from "./resources/subscriptions.ts";
import { findTool, listedTool, offeredTools, type ToolContext } from "./tool.ts";

export interface ServerOptions {
  workspace: Workspace;
  vault: Vault;
  log: Log;
  version: string;
  readOnly: boolean;
  api: Api;
  /** Whether the client keeps a connection on which it can be notified. */
  notify: boolean;
  sources: ProjectSources;
}

/** Accepts arguments of any type: parseArguments explains what is wrong with them. */
const callRequest = once(() =>
  CallToolRequestSchema.extend({
    params: CallToolRequestSchema.shape.params.extend({ arguments: z.unknown() }),
  }),
);

/** One MCP server over the workspace, for one client. */
export function createServer(options: ServerOptions): Server {
  const { workspace, log, readOnly, api, notify } = options;
  // Compiling a schema costs more than it saves: most are used once.
  z.config({ jitless: true });
  const current = createCurrentProject(workspace.root, options.sources);
  const situation = { projects: projectNames(options), current: current.choose(), readOnly };
  const server = new Server(
    { name: "vibe", title: "vibe-mcp", version: options.version },
    {
      capabilities: {
        ...{ tools: {}, prompts: {}, completions: {} },
        ...(notify && { logging: {} }),
        resources: notify ? { subscribe: true, listChanged: true } : {},
      },
      instructions: instructions(situation, api.guide),
    },
  );
  serveTools(server, options, current);
  serveResources(server, options);
  servePrompts(server, options);
  if (notify) serveNotifications(server, options);
  const askRoots = () => void current.follow(rootsOf(server, current, log));
  // Runs after the answer to `initialize` was sent.
  server.oninitialized = () => {
    workspace.warm();
    askRoots();
  };
  server.setNotificationHandler(RootsListChangedNotificationSchema, askRoots);
  server.onerror = (error) => log.debug(`protocol: ${error.message}`);
  return server;
}

/** Undefined if the disk fails for a moment: the server starts anyway, and later calls report the failure. */
function projectNames({ workspace, log }: ServerOptions): string[] | undefined {
  try {
    return workspace.projectNames();
  } catch (error) {
    log.warn(`cannot list the projects: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

const ROOTS_MS = 10_000;

/** The client's roots, if it has some and they matter. */
async function rootsOf(server: Server, current: CurrentProject, log: Log): Promise<string[]> {
  if (!current.followsRoots || server.getClientCapabilities()?.roots === undefined) return [];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
    return roots.map(({ uri }) => uri);
  } catch (error) {
    log.debug(`the client did not list its roots: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

function serveTools(server: Server, options: ServerOptions, current: CurrentProject): void {
  const { workspace, vault, log, api, readOnly } = options;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: offeredTools(api.tools, readOnly).map(listedTool),
  }));
  // The class Server would check the arguments first, with messages of its own; Protocol does not.
  Protocol.prototype.setRequestHandler.call(server, callRequest(), ({ params }, extra) =>
    toolResult(log, api, () => {
      const tool = findTool(api.tools, params.name, readOnly);
      const args = parseArguments(tool, params.arguments);
      const progressToken = params._meta?.progressToken;
      const progress: ToolContext["progress"] = (done, total) => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress: done, total };
        void extra.sendNotification({ method: "notifications/progress", params }).catch(() => {});
      };
      const { signal } = extra;
      return tool.handle(args, { workspace, vault, signal, progress, current });
    }),
  );
}

function serveResources(server: Server, { workspace, log, api: { resources: format } }: ServerOptions): void {
  const typed = <T extends object>(items: T[]) =>
    items.map((item) => ({ ...item, mimeType: format.mimeType }));
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    protocolResult(log, async () => {
      const page = await listResources(workspace, params?.cursor);
      return { ...page, resources: typed(page.resources) };
    }),
  );
  const resourceTemplates = typed(TEMPLATES);
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    protocolResult(log, () => readResource(workspace, uri, format), uri),
  );
}

/** Subscriptions and the log, for a client that stays connected. */
function serveNotifications(server: Server, { workspace, log }: ServerOptions): void {
  const subscriptions = createSubscriptions(workspace, {
    updated: (uri) => server.sendResourceUpdated({ uri }),
    listChanged: () => server.sendResourceListChanged(),
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) =>
    protocolResult(log, () => subscriptions.subscribe(uri).then(() => ({})), uri),
  );
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions.unsubscribe(uri);
    return {};
  });
  const stopLog = serveLog(server, log);
  server.onclose = () => {
    subscriptions.close();
    stopLog();
  };
}

const LEVELS = LoggingLevelSchema.options;

/** Sends log lines of the level that the client sets, and above. Returns a function that stops it. */
function serveLog(server: Server, log: Log): () => void {
  let lowest = LEVELS.length;
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    lowest = LEVELS.indexOf(params.level);
    return {};
  });
  return log.hear((name, data) => {
    const level = name === "warn" ? "warning" : name;
    if (LEVELS.indexOf(level) < lowest) return;
    const params = { level, logger: "vibe-mcp", data } as const;
    // Fails if the client has left.
    void server.notification({ method: "notifications/message", params }).catch(() => {});
  });
}

function servePrompts(server: Server, { workspace, log, api: { prompts } }: ServerOptions): void {
  const listed = prompts.map(({ render: _, arguments: args, ...prompt }) => ({
    ...prompt,
    arguments: args.map(({ values: _, ...argument }) => argument),
  }));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listed }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    protocolResult(log, () => getPrompt({ workspace, prompts }, params.name, params.arguments)),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument, context } }) =>
    protocolResult(log, async () => {
      const request = { argument: argument.name, context: context?.arguments ?? {} };
      const values =
        ref.type === "ref/prompt"
          ? await completePrompt({ workspace, prompts }, ref.name, request)
          : await completeTemplate(workspace, { uri: ref.uri, ...request });
      return { completion: { ...complete(values, argument.value) } };
    }),
  );
}
