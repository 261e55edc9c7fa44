import { countDocuments } from "../../index/catalog.ts";
import type { Log } from "../../lib/log.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Exchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

export interface Health {
  /** Null while the index is being loaded for the first time. */
  documents: number | null;
  /** Whether the index answered when it was asked last. */
  isWell: boolean;
  version: string;
  readOnly: boolean;
  /** Counts again, unless it was done a moment ago. */
  refresh(): void;
}

export interface HealthOptions {
  workspace: Workspace;
  log: Log;
  version: string;
  readOnly: boolean;
}

const FRESH_MS = 5000;

/** Anybody may ask, so asking costs nothing: the number is counted aside, and seldom. */
export function createHealth({ workspace, log, version, readOnly }: HealthOptions): Health {
  let next = 0;
  const count = async () => {
    try {
      health.documents = await workspace.query(countDocuments);
      health.isWell = true;
    } catch (error) {
      health.isWell = false;
      log.warn(`the index does not answer: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      next = performance.now() + FRESH_MS;
    }
  };
  const health: Health = {
    documents: null,
    isWell: true,
    version,
    readOnly,
    refresh: () => {
      if (performance.now() < next) return;
      next = Number.POSITIVE_INFINITY;
      void count();
    },
  };
  return health;
}

/** `GET /health`: for whoever watches the server; nothing of what it serves. */
export function serveHealth({ health }: { health: Health }, { response }: Exchange): void {
  health.refresh();
  const { version, documents, readOnly, isWell } = health;
  const body = { status: isWell ? "ok" : "error", version, documents, read_only: readOnly };
  sendJson(response, isWell ? 200 : 503, { body });
}
