import { resolveHttpConfig } from "../../config/http.ts";
import { loadApi } from "../../mcp/api.ts";
import type { ServerOptions } from "../../mcp/server.ts";
import { openVault } from "../../workspace/vault.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command.ts";
import { gitRunner } from "../git.ts";
import { projectSources } from "../resolve-project.ts";
import { notify } from "../terminal.ts";

/** `serve`: MCP over HTTP, whose code is loaded only here. */
export async function run(context: CommandContext): Promise<number> {
  const { settings, machine, clock } = context;
  const http = resolveHttpConfig(settings, machine.env, machine.home);
  // The page does not know the tools of v1.
  const config = { ...http, board: http.board && context.config.api === "v2" };
  return withServer(context, async (server) => {
    server.workspace.index.warm();
    const { serveHttp } = await import("../../transports/http/listen.ts");
    const oauth = { now: () => clock.now().getTime() };
    await serveHttp({ config, server, oauth, stop: context.stop() });
  });
}

/** The bare command: MCP on stdin and stdout. */
export async function runStdio(context: CommandContext): Promise<number> {
  const { log, terminal, stop } = context;
  return withServer(context, async (options) => {
    if (terminal.stdin.isTTY) notify(context, greeting(context));
    const [{ createServer }, { serveStdio }] = await Promise.all([
      import("../../mcp/server.ts"),
      import("../../transports/stdio.ts"),
    ]);
    const ofClient = { ...options, sources: projectSources(context), notify: true };
    await serveStdio({
      stdin: terminal.stdin,
      stdout: terminal.stdout,
      log,
      stop: stop(),
      workspace: options.workspace,
      createServer: (era) => createServer(ofClient, era),
    });
  });
}

/** Opens the workspace and its tools for `serve`, and saves the index afterwards. */
export async function withServer(
  { config, clock, log, version, machine }: CommandContext,
  serve: (options: Omit<ServerOptions, "notify">) => Promise<void>,
): Promise<number> {
  const api = await loadApi(config);
  const workspace = openWorkspace({ config, clock, log, watch: config.watch, git: gitRunner(machine) });
  try {
    if (!config.readOnly) void workspace.history.maintain();
    const vault = openVault({ config, workspace });
    // Clients over HTTP are elsewhere: this program's folder says nothing about them.
    const sources = { setting: config.project, home: machine.home };
    await serve({ workspace, vault, log, version, api, readOnly: config.readOnly, sources });
  } finally {
    await workspace.close();
  }
  return 0;
}

function greeting({ config, version, program }: CommandContext): string {
  return [
    `vibe-mcp ${version} serves ${config.root} over MCP on stdin and stdout, and waits for a client.`,
    "An agent (Claude Code, Cursor, …) usually starts it. Ctrl+C or Ctrl+D stops it.",
    `To search from here: ${program} search "some words". All commands: ${program} --help`,
    "",
  ].join("\n");
}
