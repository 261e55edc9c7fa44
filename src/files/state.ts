import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { Descent } from "./descent.ts";
import { withLock } from "./locks.ts";
import { openRegular } from "./open.ts";
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
  // The lock makes the folder: not through a link.
  openFolder(root, name)?.close();
  await withLock(root, name, async () => {
    const folder = openFolder(root, name);
    if (folder === undefined) throw new Error("its folder is gone");
    try {
      const file = join(folder.at, name);
      const before = readState(folder, name);
      const after = change(before);
      if (after === before) return;
      if (before === undefined) closeSync(openSync(file, "wx", OWNER_ONLY));
      await replaceFile(file, [Buffer.from(after)]);
    } finally {
      folder.close();
    }
  });
}

/** Undefined if there is no folder. Throws forbidden if it is a link. */
function openFolder(root: string, name: string): Descent | undefined {
  const descent = Descent.from(root, `${FOLDER}/${name}`);
  if (descent?.enter(FOLDER)) return descent;
  descent?.close();
  return undefined;
}

function readState(folder: Descent, name: string): string | undefined {
  const opened = openRegular(folder, name, `${FOLDER}/${name}`);
  if (opened === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    const size = fill(opened.descriptor, bytes, 0);
    if (size < MAX_BYTES) return bytes.toString("utf8", 0, size);
  } finally {
    closeSync(opened.descriptor);
  }
  throw new Error("it is too large");
}
