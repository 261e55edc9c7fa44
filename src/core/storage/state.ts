import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./atomic-write.ts";
import { withLock } from "./locks.ts";
import { gateOf, NO_LINKS } from "./path-gate.ts";
import { readIfPresent } from "./read.ts";

const FOLDER = ".vibe-mcp";
const MAX_BYTES = 1024 * 1024;
const OWNER_ONLY = 0o600;

/**
 * Replaces the text of a small file in `.vibe-mcp/`, one process at a time; `change` gets undefined if there is no file, and ""
 * if a crash interrupted its creation. Throws, and replaces nothing, for a link on the way or anything but a file.
 */
export async function updateState(
  root: string,
  name: string,
  change: (text: string | undefined) => string,
): Promise<void> {
  const gate = gateOf(root, NO_LINKS);
  // Throws for a link, before the lock makes its folder.
  gate.resolve(FOLDER);
  await withLock(root, name, async () => {
    const folder = gate.findFolder(FOLDER);
    if (folder === undefined) throw new Error("its folder is gone");
    const file = join(folder.file, name);
    const isThere = gate.resolve(`${FOLDER}/${name}`) !== undefined;
    const before = isThere ? readIfPresent(file, MAX_BYTES)?.toString("utf8") : undefined;
    const after = change(before);
    if (after === before) return;
    if (before === undefined) closeSync(openSync(file, "wx", OWNER_ONLY));
    await replaceFile(file, [Buffer.from(after)]);
  });
}
