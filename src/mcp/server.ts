import {
  type LoggingLevel,
  type Request,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Log } from "../lib/log.ts";
import { complete } from "../lib/text.ts";
import { type CurrentProject, createCurrentProject } from "../workspace/current-project.ts";
import type { Vault } from "../workspace/vault.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Api, instructions } from "./api.ts";
import { parseArguments } from "./arguments.ts";
import { methodNotFound, noToolName, oldErrorCode, protocolResult, toolResult } from "./error-boundary.ts";
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
  /** The absolute folder in which the client started this server, if there is one. */
  folder?: string | undefined;
}

/** One MCP server over the workspace, for one client. */
export function createServer(options: ServerOptions): Server {
  const { workspace, log, readOnly, api, notify } = options;
  // Compiling a schema costs more than it saves: most are used once.
  z.config({ jitless: true });
  const current = createCurrentProject(workspace.root, options.folder);
  const situation = { projects: projectNames(options), current: current.project(), readOnly };
  const server = new OlderServer(
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
  const askRoots = () => void followRoots(server, current, log);
  // Runs after the answer to `initialize` was sent.
  server.oninitialized = () => {
    workspace.warm();
    askRoots();
  };
  server.setNotificationHandler("notifications/roots/list_changed", askRoots);
  server.onerror = (error) => log.debug(`protocol: ${error.message}`);
  return server;
}

/** A server for clients of the older revisions. */
class OlderServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(oldErrorCode(message), options);
    return super.connect(transport);
  }
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

/** Follows the roots of a client that has roots. */
async function followRoots(server: Server, current: CurrentProject, log: Log): Promise<void> {
  if (server.getClientCapabilities()?.roots === undefined) return;
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
    current.follow(roots.map(({ uri }) => uri));
  } catch (error) {
    log.debug(`the client did not list its roots: ${error instanceof Error ? error.message : error}`);
  }
}

function serveTools(server: Server, options: ServerOptions, current: CurrentProject): void {
  const { workspace, vault, log, api, readOnly } = options;
  server.setRequestHandler("tools/list", () => ({
    tools: offeredTools(api.tools, readOnly).map(listedTool),
  }));
  // Its own handler for this method would check the arguments first, with messages of its own.
  server.fallbackRequestHandler = async ({ method, params }: Request, { mcpReq }: ServerContext) => {
    if (method !== "tools/call") throw methodNotFound();
    const name = params?.["name"];
    if (typeof name !== "string") throw noToolName();
    return toolResult(log, api, () => {
      const tool = findTool(api.tools, name, readOnly);
      const args = parseArguments(tool, params?.["arguments"]);
      const context = { workspace, vault, signal: mcpReq.signal, progress: progressOf(mcpReq) };
      return tool.handle(args, { ...context, preferred: current.project() });
    });
  };
}

/** Reports progress if the client asked for it. */
function progressOf({ _meta, notify }: ServerContext["mcpReq"]): ToolContext["progress"] {
  const progressToken = _meta?.progressToken;
  return (progress, total) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress, total };
    void notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

function serveResources(server: Server, { workspace, log, api: { resources: format } }: ServerOptions): void {
  const typed = <T extends object>(items: T[]) =>
    items.map((item) => ({ ...item, mimeType: format.mimeType }));
  server.setRequestHandler("resources/list", ({ params }) =>
    protocolResult(log, async () => {
      const page = await listResources(workspace, params?.cursor);
      return { ...page, resources: typed(page.resources) };
    }),
  );
  const resourceTemplates = typed(TEMPLATES);
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    protocolResult(log, () => readResource(workspace, uri, format), uri),
  );
}

/** Subscriptions and the log, for a client that stays connected. */
function serveNotifications(server: Server, { workspace, log }: ServerOptions): void {
  const subscriptions = createSubscriptions(workspace, {
    updated: (uri) => server.sendResourceUpdated({ uri }),
    listChanged: () => server.sendResourceListChanged(),
  });
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) =>
    protocolResult(log, () => subscriptions.subscribe(uri).then(() => ({})), uri),
  );
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscriptions.unsubscribe(uri);
    return {};
  });
  const stopLog = serveLog(server, log);
  server.onclose = () => {
    subscriptions.close();
    stopLog();
  };
}

const LEVELS: readonly LoggingLevel[] = [
  ...(["debug", "info", "notice", "warning"] as const),
  ...(["error", "critical", "alert", "emergency"] as const),
];

/** Sends log lines of the level that the client sets, and above. Returns a function that stops it. */
function serveLog(server: Server, log: Log): () => void {
  let lowest = LEVELS.length;
  server.setRequestHandler("logging/setLevel", ({ params }) => {
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
  server.setRequestHandler("prompts/list", () => ({ prompts: listed }));
  server.setRequestHandler("prompts/get", ({ params }) =>
    protocolResult(log, () => getPrompt({ workspace, prompts }, params.name, params.arguments)),
  );
  server.setRequestHandler("completion/complete", ({ params: { ref, argument, context } }) =>
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
