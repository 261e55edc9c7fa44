import { loadApi } from "../../mcp/api.ts";
import { createServer } from "../../mcp/server.ts";
import { serveStdio } from "../../transports/stdio.ts";
import { openVault } from "../../workspace/vault.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command.ts";

/** The bare command: an MCP server on stdin and stdout. */
export async function run(context: CommandContext): Promise<number> {
  const { config, clock, log, terminal, version, stop, machine } = context;
  const { readOnly } = config;
  const api = await loadApi(config);
  const { folder } = machine;
  if (terminal.stdin.isTTY) terminal.stderr.write(greeting(context));
  const workspace = openWorkspace({ config, clock, log, watch: config.watch });
  try {
    const vault = openVault({ config, workspace });
    const server = createServer({ workspace, vault, log, version, api, readOnly, folder, notify: true });
    await serveStdio(server, { stdin: terminal.stdin, stdout: terminal.stdout, log, stop: stop() });
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
