import type { History } from "../history/history.ts";
import { isProven } from "../history/proof.ts";
import { readBackwards } from "../history/read-log.ts";
import type { Operation } from "../history/record.ts";
import { oldContent, versionsOf } from "../history/versions.ts";
import { attempt } from "../storage/fs-errors.ts";
import type { Document } from "./read.ts";

/** Who brought a line into a document, as far as this machine's history knows. */
export type Origin = { kind: "person" } | { kind: "unknown" } | { kind: "agent" | "sync"; name: string };

/** Older changes are not looked at. */
const MAX_OPERATIONS = 10_000;

/** `count` says how often a text has the line. */
export async function originOf(
  history: Pick<History, "root" | "state">,
  document: Pick<Document, "path" | "text" | "hash">,
  count: (text: string) => number,
): Promise<Origin> {
  const operation = await operationOfLine(history.root, document, count);
  if (operation === undefined) return { kind: "unknown" };
  const { tool, client, agent } = operation;
  if (tool === "sync") return { kind: "sync", name: client };
  if (isProven(history, operation)) return { kind: "person" };
  // A client may call itself what only a person's program is called.
  const isOwn = agent === undefined && client.startsWith("vibe-mcp ");
  return isOwn ? { kind: "unknown" } : { kind: "agent", name: agent ?? client };
}

/** The change after which the document was as it is, but for changes of other lines; undefined if another program made it. */
async function operationOfLine(
  root: string,
  { path, text, hash: present }: Pick<Document, "path" | "text" | "hash">,
  count: (text: string) => number,
): Promise<Operation | undefined> {
  let [hash, read]: [string | null, number] = [present, 0];
  const wanted = count(text);
  for await (const operation of readBackwards(root)) {
    if (++read > MAX_OPERATIONS) return undefined;
    const version = versionsOf(operation).find((one) => one.path === path && one.kind !== "moved");
    const before = version && attempt(() => oldContent(root, version)?.text ?? "");
    if (version === undefined || before === undefined) continue;
    if (count(before) >= wanted) hash = version.before;
    else if (version.after === hash) return operation;
  }
  return undefined;
}
