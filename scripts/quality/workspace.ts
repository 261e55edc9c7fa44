import { join } from "node:path";
import { createLog } from "../../src/lib/log.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";

const log = createLog("error", (line) => process.stderr.write(line));

export interface MeasureOptions {
  root: string;
  /** Power of the boosts; undefined is what users get. */
  boost: number | undefined;
  /** Today, for the boost by age. */
  now: Date;
}

/** Opens a workspace whose index is built anew in memory: nothing is read but its documents, and nothing is written. */
export async function withWorkspace<T>(
  { root, boost, now }: MeasureOptions,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const place = { root, db: join(root, "index.db"), dbNamed: false, readOnly: true, reindex: true };
  const workspace = openWorkspace({ config: { ...place, boost }, clock: { now: () => now }, log });
  try {
    await workspace.sync({});
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}
