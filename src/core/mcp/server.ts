import type { Server, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Caller } from "../history/actor.ts";
import type { Operation } from "../history/record.ts";
import { once } from "../lib/collections.ts";
import type { Log } from "../lib/log.ts";
import { CHANGES } from "../lib/page.ts";
import { complete, progressText } from "../lib/text.ts";
import type { ProjectSources } from "../workspace/place/choose-project.ts";
import { type CurrentProject, createCurrentProject } from "../workspace/place/current-project.ts";
import type { ServedNotes } from "../workspace/place/served-notes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createAgain } from "./again.ts";
import { type Api, instructions } from "./api.ts";
import { createIgnored, ownArguments } from "./argument-names.ts";
import { parseArguments } from "./arguments.ts";
import { type Boundary, protocolResult, toolResult } from "./error-boundary.ts";
import { createHeard } from "./heard.ts";
import { serveNotifications, withLog } from "./notifications.ts";
import { createNumbersKnown } from "./numbers-known.ts";
import { createPartsRead } from "./parts-read.ts";
import { completePrompt, getPrompt } from "./prompts/prompts.ts";
import { type Era, ProtocolServer } from "./protocol.ts";
import { completeTemplate, listResources } from "./resources/list.ts";
import { readResource, TEMPLATES } from "./resources/resource.ts";
import { readSkill, SKILLS, serveSkills, skillFits } from "./serve-skill.ts";
import { findTool, offeredTools, refuseWriting, saidTool, type Tool } from "./tool.ts";
import { wordsFor } from "./words.ts";
import { withLines } from "./written-lines.ts";

const takesBack = (id: string) => `restore_doc {change: "${id}"} takes that back`;

export interface ServerOptions {
  notes: ServedNotes;
  log: Log;
  version: string;
  readOnly: boolean;
  api: Api;
  /** Whether the client keeps a connection on which it can be notified. */
  notify: boolean;
  sources: ProjectSources;
  caller: Caller;
}

/** Lists that depend only on how the server was started; all others may change at any moment. */
const STABLE = { ttlMs: 300_000, cacheScope: "private" } as const;
const CACHE_HINTS = { "tools/list": STABLE, "prompts/list": STABLE, "resources/templates/list": STABLE };

/** One MCP server over the workspace, for one client. */
export function createServer(options: ServerOptions, era: Era = "legacy"): Server {
  const { notes, log, readOnly, api, notify } = options;
  const current = createCurrentProject(notes, options.sources);
  const tools = offeredTools(api.tools, readOnly);
  const say = wordsFor(
    api.known,
    tools.map(({ name }) => name),
  );
  const canSearch = tools.some(({ name }) => name === "search");
  const situation = { projects: projectNames(options), current: current.choose(), readOnly, canSearch };
  const told: Told = { ...options, boundary: { log, say }, tools, numbers: createNumbersKnown() };
  const server = new ProtocolServer(
    { name: "vibe", title: "vibe-mcp", version: options.version },
    {
      era,
      turn: async () => {
        const isMeant = options.sources.folder !== undefined && notes.workspace.repositories !== undefined;
        if (notes.canChange || isMeant) await current.rootsKnown();
        await notes.workspace.turn();
      },
      extensions: skillFits(api.known, tools) ? [SKILLS] : [],
      cacheHints: CACHE_HINTS,
      capabilities: {
        tools: {},
        prompts: {},
        completions: {},
        ...((notify || era === "modern") && { logging: {} }),
        resources: notify ? { subscribe: true, listChanged: true } : {},
      },
      instructions: instructions(situation, api.guide, say),
    },
  );
  serveTools(server, told, current);
  serveResources(server, told);
  serveSkills(server, told.boundary, era === "modern" ? STABLE : {});
  servePrompts(server, told);
  if (notify && era === "legacy") serveNotifications(server, notes, told.boundary);
  const askRoots = () =>
    void current.follow(rootsOf(server, current, log)).then(() => notes.workspace.warm(current.project()));
  // Runs after the answer to `initialize` was sent.
  server.oninitialized = askRoots;
  server.setNotificationHandler("notifications/roots/list_changed", askRoots);
  server.onerror = (error) => log.debug(`protocol: ${error.message}`);
  return server;
}

/** What one client was given. */
interface Told extends ServerOptions {
  boundary: Boundary;
  tools: readonly Tool[];
  numbers: ReturnType<typeof createNumbersKnown>;
}

/** Undefined if the disk fails for a moment: the server starts anyway, and later calls report the failure. */
function projectNames({ notes, log }: ServerOptions): string[] | undefined {
  try {
    return notes.workspace.projectNames();
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

function serveTools(server: Server, told: Told, current: CurrentProject): void {
  const { notes, log, api, readOnly, tools, boundary, numbers } = told;
  const { say } = boundary;
  const [heard, sayIgnored] = [createHeard(), createIgnored()];
  const memory = { parts: createPartsRead(), again: createAgain(() => notes.workspace.clock.now()) };
  /** Of the agent behind this client. */
  const names = new Set<string>();
  server.setRequestHandler("tools/list", () => ({ tools: tools.map((tool) => saidTool(tool, say)) }));
  server.setRequestHandler("tools/call", { params: callParams() }, async (call, context) => {
    const tool = await protocolResult(boundary, async () => findTool(api.tools, call.name, readOnly));
    const who = callerOf(server, told, context);
    const changes: string[] = [];
    let remark: () => string | undefined = () => undefined;
    const run = () => {
      const { workspace } = notes;
      if (readOnly) refuseWriting(tool);
      const { own: taken, ignored } = ownArguments(tool, call.arguments, api.ours);
      const { said, ...meant } = withLines(tool.name, taken);
      remark = () => joined(said, sayIgnored(call.name, ignored));
      const args = parseArguments(tool, meant.args, tools);
      const own = { signal: context.mcpReq.signal, current, say };
      const onChange = (made: Operation) => {
        changes.push(made.id);
        numbers.changed(made.changes);
      };
      const actor = { tool: tool.name, ...who, agent: agentOf(args), onChange, takesBack };
      return workspace.history.acting(actor, async () => {
        const handle = () => tool.handle(args, { ...own, ...memory, workspace, vault: notes.vault });
        const answer = await numbers.during(current, args, handle);
        for (const own of [names, who.session.names]) own.add(agentOf(args) ?? who.client);
        return answer;
      });
    };
    // The page offers to take back what a person just did, whatever the tool answers.
    const meta = () => (who.isPerson && changes.length > 0 ? { [CHANGES]: changes } : undefined);
    const news = async () => [
      ...newsBeside(told, call.name, heard.next(notes.workspace)),
      ...(await notes.workspace.noteNews.next(names, who.token)),
    ];
    heard.begin(notes.workspace);
    const reported = () => withProgress(notes.workspace, context, run);
    return withLog(log, context, () =>
      toolResult(answersTo(told), api, reported, { meta, news, remark: () => remark() }),
    );
  });
}

/** People have a page, and no tools. */
function answersTo({ api, boundary, caller }: Told): Boundary {
  return caller.isPerson ? { ...boundary, say: wordsFor(api.known, []) } : boundary;
}

function joined(...remarks: (string | undefined)[]): string | undefined {
  return remarks.filter(Boolean).join(" ") || undefined;
}

/** What leads to a tool is no news beside its answer. */
function newsBeside({ api, tools }: Told, called: string, lines: string[]): string[] {
  if (lines.length === 0) return lines;
  const others = tools.map(({ name }) => name).filter((name) => name !== called);
  return lines.map(wordsFor(api.known, others));
}

/** The name under which an agent holds tasks, of the tools that take one. */
function agentOf(args: unknown): string | undefined {
  const { agent } = args as { agent?: unknown };
  return typeof agent === "string" ? agent : undefined;
}

/** The client by its name, behind that of its token. */
function callerOf(server: Server, { caller, notes }: Told, context: ServerContext) {
  const label = clientName(server, context);
  const client = caller.token === undefined ? label : `${caller.token}/${label}`;
  return { ...caller, client, session: caller.session ?? notes.workspace.history.sharedSession(client) };
}

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** What the client calls itself: in each request of the newest revision, before in the handshake. */
function clientName(server: Server, { mcpReq }: ServerContext): string {
  const envelope = mcpReq.envelope as Record<string, { name?: unknown }> | undefined;
  const { name } = envelope?.[CLIENT_INFO] ?? server.getClientVersion() ?? {};
  return typeof name === "string" ? name : "";
}

/** Arguments of any type: parseArguments explains what is wrong with them. */
const callParams = once(() => z.object({ name: z.string(), arguments: z.unknown().optional() }));

/** Says meanwhile how far the files are indexed, if the client asked for that. */
async function withProgress(
  { index }: Workspace,
  { mcpReq: { _meta, notify } }: ServerContext,
  run: () => unknown,
): Promise<unknown> {
  const progressToken = _meta?.progressToken;
  let last = 0;
  const end = index.watch(({ done: progress, total }) => {
    if (progressToken === undefined || progress <= last) return;
    last = progress;
    const params = { progressToken, progress, total, message: progressText(progress, total) };
    void notify({ method: "notifications/progress", params }).catch(() => {});
  });
  try {
    return await run();
  } finally {
    end();
  }
}

function serveResources(server: Server, { notes, log, boundary, api: { resources: format } }: Told): void {
  const typed = <T extends object>(items: T[]) =>
    items.map((item) => ({ ...item, mimeType: format.mimeType }));
  server.setRequestHandler("resources/list", ({ params }, context) =>
    withLog(log, context, () =>
      protocolResult(boundary, async () => {
        const page = await listResources(notes.workspace, params?.cursor);
        return { ...page, resources: typed(page.resources) };
      }),
    ),
  );
  const resourceTemplates = typed(TEMPLATES);
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    withLog(log, context, () =>
      protocolResult(boundary, async () => readSkill(uri) ?? readResource(notes.workspace, uri, format), uri),
    ),
  );
}

function servePrompts(server: Server, { notes, log, boundary, numbers, api: { prompts } }: Told): void {
  const listed = prompts.map(({ render: _, arguments: args, ...prompt }) => ({
    ...prompt,
    arguments: args.map(({ values: _, ...argument }) => argument),
  }));
  server.setRequestHandler("prompts/list", () => ({ prompts: listed }));
  server.setRequestHandler("prompts/get", { params: callParams() }, (params, context) =>
    withLog(log, context, () =>
      protocolResult(boundary, async () => {
        const { workspace } = notes;
        const { name, arguments: args } = params;
        const prompt = await getPrompt({ workspace, prompts, say: boundary.say }, name, args);
        numbers.shown(workspace.root, prompt, (args as { project?: string } | undefined)?.project);
        return prompt;
      }),
    ),
  );
  server.setRequestHandler("completion/complete", ({ params: { ref, argument, context } }) =>
    protocolResult(boundary, async () => {
      const { workspace } = notes;
      const request = { argument: argument.name, context: context?.arguments ?? {} };
      const values =
        ref.type === "ref/prompt"
          ? await completePrompt({ workspace, prompts }, ref.name, request)
          : await completeTemplate(workspace, { uri: ref.uri, ...request });
      return { completion: { ...complete(values, argument.value) } };
    }),
  );
}
