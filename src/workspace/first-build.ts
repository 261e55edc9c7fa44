import { hostname } from "node:os";
import { dirname } from "node:path";
import { withLock } from "../files/locks.ts";
import type { Scan } from "../files/walk.ts";
import type { Log } from "../lib/log.ts";
import type { MirrorConfig } from "./find-index.ts";
import type { Mirror } from "./mirror.ts";

/** Fewer are indexed sooner than arranged. */
const MANY = 500;

export interface FirstBuild {
  config: MirrorConfig;
  log: Log;
  mirror: Mirror;
}

/** Whether so much is to be indexed, and nothing is yet, that of processes which start at once only one should do it. */
export function isWorthSharing({ config, mirror }: FirstBuild, scan: Scan): boolean {
  return mirror.isWritable && !config.reindex && mirror.known().size === 0 && scan.files.length >= MANY;
}

/**
 * Runs `build` while no other process of this machine builds the same index, on what another has saved by then.
 * Answers when `build` does; the next process is let in when it is saved, which `saving` waits for. Without a lock (on a
 * disk that takes none, or when it cannot be had) everybody builds.
 */
export async function buildOnce<T>(
  { config, log, mirror }: FirstBuild,
  build: (isTaken: boolean) => Promise<T>,
): Promise<{ result: T; saving: Promise<void> }> {
  let saving = Promise.resolve();
  const result = await new Promise<T>((resolve) => {
    let building: Promise<T> | undefined;
    const work = async () => {
      const isTaken = await mirror.reload();
      if (isTaken) log.info("another process has built the index meanwhile");
      building = build(isTaken);
      resolve(building);
      await building;
      await mirror.save();
    };
    const name = `index ${hostname()} ${config.db}`;
    saving = withLock(dirname(config.db), name, work, true).catch(() => resolve(building ?? build(false)));
  });
  return { result, saving };
}
