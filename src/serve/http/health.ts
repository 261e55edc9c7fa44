import { countDocuments } from "../../core/index/catalog.ts";
import type { ServerOptions } from "../../core/mcp/server.ts";
import { type Exchange, sendJson } from "./exchange.ts";

/** The state at the last count; starts another count if that was a while ago. */
export type Health = () => { isWell: boolean; body: object };

const FRESH_MS = 5000;

/** Needs no login, so it must be cheap: documents are counted in the background, at most every five seconds. */
export function createHealth({
  notes,
  log,
  version,
  readOnly,
}: Pick<ServerOptions, "notes" | "log" | "version" | "readOnly">): Health {
  // Null while the index is being loaded for the first time.
  let documents: number | null = null;
  let isWell = true;
  let next = 0;
  const count = async () => {
    try {
      documents = await notes.workspace.index.query(countDocuments);
      isWell = true;
    } catch (error) {
      isWell = false;
      if (notes.workspace.index.isClosing) return;
      log.warn(`the index does not answer: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      next = performance.now() + FRESH_MS;
    }
  };
  return () => {
    if (performance.now() >= next) {
      next = Number.POSITIVE_INFINITY;
      void count();
    }
    const { indexing } = notes.workspace.index;
    const state = { status: isWell ? "ok" : "error", version, documents, read_only: readOnly };
    return { isWell, body: { ...state, ...(indexing !== undefined && { indexing }) } };
  };
}

/** `GET /health`: for monitoring; shows no contents of the workspace. */
export function serveHealth({ health }: { health: Health }, { response }: Exchange): void {
  const { isWell, body } = health();
  sendJson(response, isWell ? 200 : 503, { body });
}
