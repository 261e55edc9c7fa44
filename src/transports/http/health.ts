import { countDocuments } from "../../index/catalog.ts";
import type { Log } from "../../lib/log.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Exchange } from "./exchange.ts";
import { sendJson } from "./reply.ts";

export interface Health {
  /** Counts again, unless it was done a moment ago. */
  refresh(): void;
  /** As of the last count. */
  report(): { isWell: boolean; body: object };
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
  // Null while the index is being loaded for the first time.
  let documents: number | null = null;
  let isWell = true;
  let next = 0;
  const count = async () => {
    try {
      documents = await workspace.query(countDocuments);
      isWell = true;
    } catch (error) {
      isWell = false;
      log.warn(`the index does not answer: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      next = performance.now() + FRESH_MS;
    }
  };
  return {
    refresh: () => {
      if (performance.now() < next) return;
      next = Number.POSITIVE_INFINITY;
      void count();
    },
    report: () => ({
      isWell,
      body: { status: isWell ? "ok" : "error", version, documents, read_only: readOnly },
    }),
  };
}

/** `GET /health`: for whoever watches the server; nothing of what it serves. */
export function serveHealth({ health }: { health: Health }, { response }: Exchange): void {
  health.refresh();
  const { isWell, body } = health.report();
  sendJson(response, isWell ? 200 : 503, { body });
}
