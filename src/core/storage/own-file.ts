import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFile, replaceFile } from "./atomic-write.ts";
import { makeFolder, realPath } from "./folders.ts";
import { attempt, guarded } from "./fs-errors.ts";
import { hashOf } from "./read.ts";

const OWNER_ONLY = 0o600;
const OF_OTHERS = 0o077;

/** The file about the notes of one root, of those in a folder of the user's state folder (absolute). */
export function ownFile({ state, root }: { state: string; root: string }, folder: string): string {
  return join(state, folder, hashOf(Buffer.from(realPath(root))).slice(0, 24));
}

/** Makes a folder (absolute) of this program with its parents: no other user enters it. Throws like makeFolder. */
export function makeOwnFolder(folder: string): void {
  makeFolder(folder, 0o700);
}

/** Takes a folder (absolute) of this program from other users, with all that is in it; costs a look if that was done before. */
export function closeToOthers(folder: string): void {
  const isClosed = ((attempt(() => statSync(folder).mode) ?? 0) & OF_OTHERS) === 0;
  if (isClosed || process.platform === "win32") return;
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true, recursive: true })) ?? [];
  // What a link leads to belongs to others. The folder comes last: if this is interrupted, the next look begins again.
  const names = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const name of [...names, folder])
    attempt(() => chmodSync(name, statSync(name).mode & ~OF_OTHERS & 0o7777));
}

// A service may read a file of root's by its group.
const OPEN = 0o026;

/** Whether others may write a file, or read it, beside its group. Modes say nothing on Windows. Throws system errors. */
export function isOpenToOthers(file: string): boolean {
  return process.platform !== "win32" && (statSync(file).mode & OPEN) !== 0;
}

/** Writes a file of this program in the user's state folder (absolute), whole or not at all. Throws FILESYSTEM_ERROR. */
export async function writeOwnFile(file: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await guarded("write", file, async () => {
    makeOwnFolder(dirname(file));
    if (!(await createFile(file, bytes, { mode: OWNER_ONLY }))) await replaceFile(file, [bytes]);
  });
}

/** Removes files from a folder (absolute) of this program that were written before `time`, and are made again when they are needed. */
export function removeOld(folder: string, time: number): void {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const file = join(folder, name);
    if ((attempt(() => statSync(file).mtimeMs) ?? time) < time) attempt(() => rmSync(file));
  }
}

/** Writes a file that only this user can read, into a new folder under `parent`; `remove` removes both. */
export function writePrivateFile(parent: string, name: string, text: string) {
  const folder = mkdtempSync(join(parent, "vibe-mcp-"));
  const file = join(folder, name);
  writeFileSync(file, text, { mode: OWNER_ONLY, flag: "wx" });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
