import { definedOf } from "../lib/collections.ts";
import { projectOf } from "../notes/names.ts";
import { type FileChange, presentMode } from "../storage/change-file.ts";
import { crypto, type FileContent } from "../storage/read.ts";
import type { History } from "./history.ts";
import type { Change, Operation } from "./record.ts";

/** The operation of who acts now; `undoes` is the one that it takes back. */
export function operationOf(
  { root, clock, actor }: History,
  changes: readonly FileChange[],
  undoes?: string,
): Operation {
  const { tool, client, agent, made } = actor();
  return {
    id: newId(),
    time: clock.now().toISOString(),
    tool,
    client,
    ...definedOf({ agent, made }),
    pid: process.pid,
    changes: changes.map((change) => describe(root, change)),
    ...(undoes !== undefined && { undoes }),
  };
}

export function describe(root: string, { path, before, after }: FileChange): Change {
  const mode =
    before === null ? undefined : before.stats ? before.stats.mode & 0o777 : presentMode(root, path);
  return {
    path,
    before: hashOrNull(before),
    after: hashOrNull(after),
    bytes: before?.bytes.length ?? 0,
    ...(mode !== undefined && { mode }),
  };
}

export function newId(): string {
  return crypto().randomBytes(6).toString("hex");
}

/** The projects whose locks a change needs. */
export function projectsOf({ changes }: { changes: readonly { path: string }[] }): string[] {
  return [...new Set(changes.map(({ path }) => projectOf(path)))];
}

export function hashOrNull(content: FileContent | null): string | null {
  return content?.hash ?? null;
}
