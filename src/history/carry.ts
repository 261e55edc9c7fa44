import { pauses } from "../lib/pauses.ts";
import { contentOf } from "../storage/read.ts";
import { readBlob, saveBlob } from "./blobs.ts";
import { projectOf } from "./history.ts";
import { readBackwards } from "./read-log.ts";
import type { Operation } from "./record.ts";
import { appendRecord } from "./record-log.ts";

/** Copies what is recorded of a project, with the old texts, into the history of another workspace; returns how many changes. */
export async function copyHistory(from: string, to: string, project: string): Promise<number> {
  const known = new Set<string>();
  for await (const { id } of readBackwards(to)) known.add(id);
  const operations: Operation[] = [];
  for await (const operation of readBackwards(from)) {
    const changes = operation.changes.filter(({ path }) => projectOf(path) === project);
    if (changes.length === 0 || known.has(operation.id)) continue;
    const isPart = changes.length < operation.changes.length;
    operations.push({ ...operation, changes, ...(isPart && { partial: true }) });
  }
  for (const operation of operations.reverse()) {
    await copyTexts(from, to, operation);
    appendRecord(to, operation);
  }
  return operations.length;
}

async function copyTexts(from: string, to: string, { changes }: Operation): Promise<void> {
  const pause = pauses();
  for (const { path, before, bytes } of changes) {
    const old = before === null ? undefined : readBlob(from, before, bytes);
    if (old !== undefined && old !== "damaged") await saveBlob(to, path, contentOf(old));
    await pause();
  }
}
