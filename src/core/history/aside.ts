import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findHome, makeHome } from "../storage/lock-folder.ts";
import type { PlainPath } from "../storage/open-entry.ts";
import { crypto } from "../storage/read.ts";
import { HISTORY } from "./blobs.ts";

/** Keeps what must not be in the history's folders, for a person to look at. */
const ASIDE = "aside";

/** Moves an entry of an open folder of the history aside, whatever it is. */
export function setAside(root: string, from: Pick<PlainPath, "file">, name: string): void {
  const folder = makeHome(root, [HISTORY, ASIDE]);
  renameSync(join(from.file, name), join(folder.file, `${crypto().randomBytes(3).toString("hex")}-${name}`));
}

export function removeAside(root: string): void {
  const folder = findHome(root, [HISTORY]);
  if (folder === undefined) return;
  rmSync(join(folder.file, ASIDE), { recursive: true, force: true });
}
