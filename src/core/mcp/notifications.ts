import type { LoggingLevel, Server, ServerContext } from "@modelcontextprotocol/server";
import type { Log } from "../lib/log.ts";
import type { ServedNotes } from "../workspace/place/served-notes.ts";
import { type Boundary, protocolResult } from "./error-boundary.ts";
import { createSubscriptions } from "./resources/subscriptions.ts";

const LOGGER = "vibe-mcp";

const LEVELS: readonly LoggingLevel[] = [
  ...(["debug", "info", "notice", "warning"] as const),
  ...(["error", "critical", "alert", "emergency"] as const),
];

/** Subscriptions and the log, for a client of an older revision that stays connected. */
export function serveNotifications(server: Server, notes: ServedNotes, boundary: Boundary): void {
  const subscriptions = createSubscriptions(notes, {
    updated: (uri) => server.sendResourceUpdated({ uri }),
    listChanged: () => server.sendResourceListChanged(),
  });
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) =>
    protocolResult(boundary, () => subscriptions.subscribe(uri).then(() => ({})), uri),
  );
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscriptions.unsubscribe(uri);
    return {};
  });
  const stopLog = serveLog(server, boundary.log);
  server.onclose = () => {
    subscriptions.close();
    stopLog();
  };
}

/** Sends log lines of the level that the client sets, and above. Returns a function that stops it. */
function serveLog(server: Server, log: Log): () => void {
  let lowest = LEVELS.length;
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    lowest = LEVELS.indexOf(params.level);
    return {};
  });
  return log.hear((name, data) => {
    const level = levelOf(name);
    if (LEVELS.indexOf(level) < lowest) return;
    const params = { level, logger: LOGGER, data };
    // Fails if the client has left.
    void server.notification({ method: "notifications/message", params }).catch(() => {});
  });
}

/** Runs a request. Those of the newest revision can ask for the log lines that it causes, from a level on. */
export async function withLog<T>(log: Log, { mcpReq }: ServerContext, run: () => Promise<T>): Promise<T> {
  if (mcpReq.envelope === undefined) return run();
  const stop = log.hear((name, data) => void mcpReq.log(levelOf(name), data, LOGGER).catch(() => {}));
  try {
    return await run();
  } finally {
    stop();
  }
}

function levelOf(name: "error" | "warn"): LoggingLevel {
  return name === "warn" ? "warning" : name;
}
