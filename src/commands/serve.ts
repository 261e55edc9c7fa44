import type { Command } from "./command.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "Serve the workspace over HTTP, to many clients on many machines.",
  words: [],
  options: [],
  example: "serve --port 8080",
  run: async (context) => {
    const { serveOverHttp } = await import("./serve-http.ts");
    return serveOverHttp(context);
  },
};
