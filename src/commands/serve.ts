import type { Command } from "./command.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "Serve the workspace over HTTP, to many clients on many machines.",
  words: [],
  options: [],
  example: "serve --port 8080",
  run: async (context) => {
    const { config, clock, log, version } = context;
    const http = await context.http();
    // Loaded here alone: nothing else starts with it.
    const { loadDialect } = await import("../dialect.ts");
    const { createServer } = await import("../server.ts");
    const { openVault } = await import("../workspace/vault.ts");
    const { openWorkspace } = await import("../workspace/workspace.ts");
    const { serveHttp } = await import("../transports/http/listen.ts");
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
  },
};
