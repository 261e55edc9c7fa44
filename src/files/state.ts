import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { type Gate, gateOf, NO_LINKS } from "./gate.ts";
import { withLock } from "./locks.ts";
import { closePlace } from "./place.ts";
import { fill } from "./read.ts";
import { replaceFile } from "./write.ts";

const FOLDER = ".vibe-mcp";
const MAX_BYTES = 1024 * 1024;
const OWNER_ONLY = 0o600;

/**
 * Replaces the text of a small file in `.vibe-mcp/`, one process at a time; `change` gets undefined if there is no file, and
 * "" after a crash in the moment of its creation.
 * Follows no link, there or to the folder. Throws, and replaces nothing, if something else has the name.
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
    const folder = gate.openFolder(FOLDER);
    if (folder === undefined) throw new Error("its folder is gone");
    try {
      const file = join(folder.at, name);
      const before = readState(gate, `${FOLDER}/${name}`);
      const after = change(before);
      if (after === before) return;
      if (before === undefined) closeSync(openSync(file, "wx", OWNER_ONLY));
      await replaceFile(file, [Buffer.from(after)]);
    } finally {
      closePlace(folder);
    }
  });
}

function readState(gate: Gate, path: string): string | undefined {
  const opened = gate.openFile(path);
  if (opened === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    const size = fill(opened.descriptor, bytes, 0);
    if (size < MAX_BYTES) return bytes.toString("utf8", 0, size);
  } finally {
    closePlace(opened);
  }
  throw new Error("it is too large");
}
