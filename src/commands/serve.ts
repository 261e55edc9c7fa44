import { UsageError } from "../config.ts";
import { chooseTools, createServer } from "../server.ts";
import { openVault } from "../workspace/vault.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { Command } from "./command.ts";

export const serveCommand: Command = {
  name: "serve",
  usage: "",
  summary: "Serve the workspace over HTTP, to many clients on many machines.",
  run: async (context) => {
    const { config, clock, log, version, words } = context;
    if (words.length > 0) throw new UsageError(`serve takes no words: what is ${JSON.stringify(words[0])}?`);
    const http = context.http();
    const tools = chooseTools(config);
    const workspace = openWorkspace({ config, clock, log });
    try {
      const vault = openVault({ config, workspace });
      workspace.warm();
      // Loaded here alone: a server on stdio starts without it.
      const { serveHttp } = await import("../transports/http/listen.ts");
      await serveHttp({
        ...{ config: http, workspace, log, version, readOnly: config.readOnly, stop: context.stop() },
        createServer: ({ readOnly }) =>
          createServer({
            ...{ workspace, vault, log, version, tools, api: config.api },
            readOnly: config.readOnly || readOnly,
          }),
      });
    } finally {
      await workspace.close();
    }
    return 0;
  },
};
