import { isLoopback, ownTokenFile, resolveHttpConfig } from "../../core/config/http.ts";
import { type Config, resolveConfig } from "../../core/config/options.ts";
import { gitInCalls } from "../../core/git/ask-git.ts";
import { newSession } from "../../core/history/actor.ts";
import { maintain } from "../../core/history/interrupted.ts";
import { sightNow } from "../../core/history/sight.ts";
import { loadApi } from "../../core/mcp/api.ts";
import type { ServerOptions } from "../../core/mcp/server.ts";
import { exists } from "../../core/storage/open-entry.ts";
import { repositoryNotes } from "../../core/workspace/place/repository-notes.ts";
import { type Notes, ServedNotes } from "../../core/workspace/place/served-notes.ts";
import { openVault } from "../../core/workspace/vault.ts";
import { openWorkspace } from "../../core/workspace/workspace.ts";
import type { Routes } from "../../serve/http/context.ts";
import { AutoSync } from "../../together/sync/auto-sync.ts";
import { recentNews } from "../../together/sync/news.ts";
import type { CommandContext } from "../command.ts";
import { agentName } from "../person.ts";
import { foldersHere, knowRepositories, projectSources } from "../resolve-project.ts";
import { notify } from "../terminal.ts";

/** `serve`: MCP over HTTP, whose code is loaded only here. */
export async function run(context: CommandContext): Promise<number> {
  const { settings, machine, clock } = context;
  const own = ownTokenFile(context.config);
  const http = resolveHttpConfig(settings, machine.env, machine.home, exists(own) ? own : undefined);
  // The page does not know the tools of v1.
  const config = { ...http, board: http.board && context.config.api === "v2" };
  // Clients over HTTP may be elsewhere: this program's folder says nothing about them.
  const local = isLoopback(config.host) ? { here: [] } : {};
  return withServer(context, local, async (server) => {
    const { serveHttp } = await import("../../serve/http/listen.ts");
    const oauth = { now: () => clock.now().getTime() };
    const routes = config.board ? await pageRoutes(context, context.config) : {};
    void server.notes.workspace.index.warm();
    await serveHttp({ config, server, oauth, routes, stop: context.stop() });
  });
}

/** What lets the page add the example project and pictures; none if nothing may be written. */
export async function pageRoutes({ clock }: CommandContext, { root, readOnly }: Config): Promise<Routes> {
  if (readOnly) return {};
  const [{ exampleRoute }, { PICTURE }] = await Promise.all([
    import("../../serve/http/example-route.ts"),
    import("../../serve/http/picture-route.ts"),
  ]);
  const add = async () => {
    const [{ writeDemo }, { demoFiles }] = await Promise.all([
      import("./demo.ts"),
      import("./demo/files.ts"),
    ]);
    await writeDemo(root, demoFiles(clock.now()));
  };
  return { "/example": exampleRoute(add), "/picture": PICTURE };
}

/** The bare command: MCP on stdin and stdout. */
export async function runStdio(context: CommandContext): Promise<number> {
  const { log, terminal, stop } = context;
  const { openAt, close } = repositoryOpener(context);
  const serve = async (options: Served) => {
    if (terminal.stdin.isTTY) notify(context, greeting(context));
    const [{ createServer }, { serveStdio }] = await Promise.all([
      import("../../core/mcp/server.ts"),
      import("../../core/stdio/stdio.ts"),
    ]);
    const ofClient = {
      ...options,
      sources: projectSources(context),
      notify: true,
      caller: { session: newSession() },
    };
    await serveStdio({
      stdin: terminal.stdin,
      stdout: terminal.stdout,
      log,
      stop: stop(),
      notes: options.notes,
      createServer: (era) => createServer(ofClient, era),
    });
  };
  try {
    return await withServer(context, { openAt, here: foldersHere(context) }, serve);
  } finally {
    await close();
  }
}

type Served = Omit<ServerOptions, "notify" | "caller">;

interface Local {
  /** As for ServedNotes. */
  openAt?: ((folder: string) => Notes | undefined) | undefined;
  /** The folders in which the client works, if it is on this machine; without it, no repository is known. */
  here?: readonly string[];
}

/** Opens the notes and tools for `serve`, and saves the indexes afterwards. */
export async function withServer(
  context: CommandContext,
  { openAt, here }: Local,
  serve: (options: Served) => Promise<void>,
): Promise<number> {
  const { config, log, version, machine } = context;
  const api = await loadApi(config);
  const first = openNotes(context, here);
  try {
    const sources = { setting: config.project, home: machine.home };
    const notes = new ServedNotes(first, openAt);
    await serve({ notes, log, version, api, readOnly: config.readOnly, sources });
  } finally {
    await closeNotes(first);
  }
  return 0;
}

function openNotes(context: CommandContext, here: Local["here"]): Notes {
  const { config, clock, log, machine } = context;
  const workspace = openWorkspace({ config, clock, log, watch: config.watch, git: gitInCalls(machine) });
  if (!config.readOnly) void maintain(workspace.history);
  if (here !== undefined && config.api === "v2") knowRepositories(workspace, context, { here, waits: false });
  const { state } = config;
  // What sync has to say may be of any project.
  workspace.news = () => (sightNow() === undefined ? recentNews(state, workspace.root) : []);
  workspace.person = () => agentName(context);
  if (!config.readOnly && config.sync === "auto") {
    const sharing = new AutoSync({ workspace, state, env: machine.env, log });
    sharing.start();
    workspace.sharing = sharing;
  }
  return { workspace, vault: openVault({ config, workspace }) };
}

async function closeNotes({ workspace }: Notes): Promise<void> {
  await workspace.sharing?.close();
  await workspace.close();
}

/** Opens, once each, the notes that repositories keep themselves; none if settings say which notes or which index to use. */
function repositoryOpener(context: CommandContext) {
  const { config, settings, machine } = context;
  const { env, home } = machine;
  const opened = new Map<string, Notes>();
  const openAt = (folder: string): Notes | undefined => {
    const root = repositoryNotes({ folder, home })?.root;
    if (root === undefined || root === config.root) return undefined;
    const notes =
      opened.get(root) ??
      openNotes({ ...context, config: resolveConfig(settings, env, home, root) }, foldersHere(context));
    opened.set(root, notes);
    return notes;
  };
  return {
    openAt: config.rootFrom === "setting" || config.dbNamed ? undefined : openAt,
    close: () => Promise.all([...opened.values()].map(closeNotes)),
  };
}

function greeting({ config, version, program }: CommandContext): string {
  return [
    `vibe-mcp ${version} serves ${config.root} over MCP on stdin and stdout, and waits for a client.`,
    "An agent (Claude Code, Cursor, …) usually starts it. Ctrl+C or Ctrl+D stops it.",
    `To search from here: ${program} search "some words". All commands: ${program} --help`,
    "",
  ].join("\n");
}
