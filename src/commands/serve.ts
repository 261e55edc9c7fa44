import { loadDialect } from "../dialect.ts";
import { resolveHttpConfig } from "../http-config.ts";
import { createServer } from "../server.ts";
import { serveHttp } from "../transports/http/listen.ts";
import { openVault } from "../workspace/vault.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { CommandContext } from "./command.ts";

/** Serves MCP over HTTP. */
export async function run(context: CommandContext): Promise<number> {
  const { config, settings, machine, clock, log, version } = context;
  const http = resolveHttpConfig(settings, machine.env, machine.home);
  const dialect = await loadDialect(config);
  const workspace = openWorkspace({ config, clock, log, watch: config.watch });
  try {
    const vault = openVault({ config, workspace });
    workspace.warm();
    await serveHttp({
      ...{ config: http, workspace, log, version, readOnly: config.readOnly, stop: context.stop() },
      oauth: { now: () => clock.now().getTime() },
      createServer: ({ readOnly }) =>
        createServer({
          ...{ workspace, vault, log, version, dialect, notify: !http.stateless },
          readOnly: config.readOnly || readOnly,
        }),
    });
  } finally {
    await workspace.close();
  }
  return 0;
}
