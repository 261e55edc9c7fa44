import { resolveHttpConfig } from "../../config/http.ts";
import { loadApi } from "../../mcp/api.ts";
import { serveHttp } from "../../transports/http/listen.ts";
import { openVault } from "../../workspace/vault.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import type { CommandContext } from "../command.ts";

/** Serves MCP over HTTP. */
export async function run(context: CommandContext): Promise<number> {
  const { config, settings, machine, clock, log, version } = context;
  const { readOnly } = config;
  const http = resolveHttpConfig(settings, machine.env, machine.home);
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
