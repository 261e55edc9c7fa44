import { randomBytes } from "node:crypto";
import { resolveHttpConfig } from "../../config/http.ts";
import { resolveConfig } from "../../config/options.ts";
import { findProject } from "../../workspace/locate.ts";
import { hasBrowser, openBrowser } from "../browser.ts";
import type { CommandContext } from "../command.ts";
import { notify } from "../terminal.ts";
import { withServer } from "./serve.ts";

/** `board`: the web page, from a server of its own that only a new token opens. */
export async function run(context: CommandContext): Promise<number> {
  const { machine, settings, words, options, clock, log } = context;
  // The page needs all tools by their own names, whatever agents get.
  const forPage = { ...settings, api: "v2", tools: "all", vault: "off" };
  const config = resolveConfig(forPage, machine.env, machine.home);
  const named = words[0] ?? config.project?.name;
  const project = named === undefined ? {} : { project: findProject(config.root, named) };
  const token = randomBytes(32).toString("base64url");
  const http = resolveHttpConfig({ port: options.text("port") ?? "0" }, {}, machine.home);
  // People read this terminal: one line for each request would hide the address.
  const quiet = { ...log, info: log.debug };
  let close = () => {};
  const listening = (origin: string) => {
    close = present(context, `${origin}/#/board?${new URLSearchParams({ ...project, token })}`);
  };
  try {
    return await withServer({ ...context, config, log: quiet }, async (server) => {
      server.workspace.index.warm();
      const { serveHttp } = await import("../../transports/http/listen.ts");
      const oauth = { now: () => clock.now().getTime() };
      const tokens = [{ secret: token, readOnly: false }];
      await serveHttp({ config: { ...http, tokens }, server, oauth, stop: context.stop(), listening });
    });
  } finally {
    close();
  }
}

/** Prints the address, and opens it if a person sits before this machine. Returns what to call at the end. */
function present(context: CommandContext, address: string): () => void {
  const { terminal, machine, options } = context;
  terminal.stdout.write(`${address}\n`);
  const end = "Ctrl+C stops the board.\n";
  if (options.has("no-open") || !hasBrowser(machine)) {
    notify(context, `Open this address in your browser. ${end}`);
    return () => {};
  }
  notify(context, `Your browser opens it. ${end}`);
  return openBrowser(machine, address, () =>
    notify(context, "No browser was opened: copy the address above into yours.\n"),
  );
}
