import { loadApi } from "../api.ts";
import { serveHttp } from "../transports/http/listen.ts";
import { openVault } from "../workspace/vault.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { CommandContext } from "./command.ts";

/** An MCP server over HTTP. */
export async function serveOverHttp(context: CommandContext): Promise<number> {
  const { config, clock, log, version } = context;
  const { readOnly } = config;
  const http = await context.http();
  const api = await loadApi(config);
  const workspace = openWorkspace({ config, clock, log, watch: config.watch });
  try {
    const vault = openVault({ config, workspace });
    workspace.warm();
    await serveHttp({
      config: http,
      server: { workspace, vault, log, version, readOnly, api },
      oauth: { now: () => clock.now().getTime() },
      stop: context.stop(),
    });
  } finally {
    await workspace.close();
  }
  return 0;
}
