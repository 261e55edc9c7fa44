import { readIfPresent } from "../core/storage/read.ts";
import type { Machine } from "../setup/clients/machine.ts";

/** The file of this program, in a repository that keeps it beside its notes and in plugins. */
export const PROGRAM = "vibe-mcp.cjs";
const MAX_BYTES = 16 * 1024 * 1024;

/** The single file that is running; undefined if it runs from its sources. */
export function programBytes({ script }: Pick<Machine, "script">): Buffer | undefined {
  return /\.cjs$|vibe-mcp$/.test(script) ? readIfPresent(script, MAX_BYTES) : undefined;
}
