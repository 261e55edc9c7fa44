import { join } from "node:path";
import { createFile, replaceFile } from "./atomic-write.ts";
import { realPath } from "./folders.ts";
import { guarded } from "./fs-errors.ts";
import { hashOf } from "./read.ts";

const OWNER_ONLY = 0o600;

/** The file about the notes of one root, of those in a folder of the user's state folder (absolute). */
export function ownFile({ state, root }: { state: string; root: string }, folder: string): string {
  return join(state, folder, hashOf(Buffer.from(realPath(root))).slice(0, 24));
}

/** Writes a file of this program in the user's state folder (absolute), whole or not at all. Throws FILESYSTEM_ERROR. */
export async function writeOwnFile(file: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await guarded("write", file, async () => {
    if (!(await createFile(file, bytes, { mode: OWNER_ONLY }))) await replaceFile(file, [bytes]);
  });
}
