import { randomBytes } from "node:crypto";
import { resolveHttpConfig } from "../../core/config/http.ts";
import { type Config, resolveConfig, UsageError } from "../../core/config/options.ts";
import { findProject } from "../../core/workspace/find/project.ts";
import { notesHere } from "../../core/workspace/place/repository-notes.ts";
import { keepPort, lastPort } from "../board-port.ts";
import { hasBrowser, openBrowser } from "../browser.ts";
import type { CommandContext } from "../command.ts";
import { foldersHere } from "../resolve-project.ts";
import { notify } from "../terminal.ts";
import { pageRoutes, withServer } from "./serve.ts";

/** `board`: the web page, from a server of its own that only its own token opens, a new one at each start. */
export async function run(context: CommandContext): Promise<number> {
  const { machine, settings, words, options, clock } = context;
  // The page needs all tools by their own names, whatever agents get.
  const forPage = { ...settings, api: "v2", tools: "all", vault: "off" };
  const config = resolveConfig(forPage, machine.env, machine.home, notesHere(machine)?.root);
  const named = words[0] ?? config.project?.name;
  const project = named === undefined ? {} : { project: findProject(config.root, named) };
  const http = resolveHttpConfig({ port: options.text("port") ?? "0" }, {}, machine.home);
  const token = randomBytes(32).toString("base64url");
  let close = () => {};
  let isKept: Promise<void> | undefined;
  try {
    return await withServer(quiet(context, config), { here: foldersHere(context) }, async (server) => {
      void server.notes.workspace.index.warm();
      const [{ serveHttp }, { boardCodeRoute, createBoardCodes }, example] = await Promise.all([
        import("../../serve/http/listen.ts"),
        import("../../serve/http/board-codes.ts"),
        pageRoutes(context, config),
      ]);
      const stop = context.stop();
      const codes = createBoardCodes(token, () => performance.now());
      const serve = (port: number) => {
        let address = () => "";
        const listening = (origin: string) => {
          isKept = keep(context, config, Number(new URL(origin).port));
          address = () => `${origin}/#/board?${new URLSearchParams({ ...project, code: codes.issue() })}`;
          close = present(context, address);
        };
        return serveHttp({
          server,
          stop,
          listening,
          oauth: { now: () => clock.now().getTime() },
          config: { ...http, port, tokens: [{ secret: token, readOnly: false }] },
          routes: { "/code": boardCodeRoute(codes, () => printAgain(context, address())), ...example },
        });
      };
      await serve(options.has("port") ? http.port : lastPort(config)).catch((error) => {
        // Another program has the port.
        if (options.has("port") || !(error instanceof UsageError)) throw error;
        return serve(0);
      });
    });
  } finally {
    close();
    await isKept;
  }
}

/** People read this terminal: one line for each request would hide the address. */
function quiet(context: CommandContext, config: Config): CommandContext {
  return { ...context, config, log: { ...context.log, info: context.log.debug } };
}

/** Without a place to keep it, the next start has another address. */
function keep({ log }: CommandContext, config: Config, port: number): Promise<void> {
  return keepPort(config, port).catch((error: Error) => log.debug(`address not kept: ${error.message}`));
}

/** Prints an address, and opens another if a person sits before this machine. Returns what to call at the end. */
function present(context: CommandContext, address: () => string): () => void {
  const { terminal, machine, options } = context;
  terminal.stdout.write(`${address()}\n`);
  const end =
    "It works once, within 5 minutes; opened later, it makes another appear here. Ctrl+C stops the board.\n";
  if (options.has("no-open") || !hasBrowser(machine)) {
    notify(context, `Open this address in your browser. ${end}`);
    return () => {};
  }
  notify(context, `Your browser opens the board. To open it elsewhere, use this address. ${end}`);
  return openBrowser(machine, address(), () =>
    notify(context, "No browser was opened: copy the address above into yours.\n"),
  );
}

function printAgain(context: CommandContext, address: string): void {
  notify(context, "An address was opened that no longer works. This one does:\n");
  context.terminal.stdout.write(`${address}\n`);
}
