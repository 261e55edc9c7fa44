import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findHome, makeHome } from "../storage/lock-folder.ts";
import type { OpenEntry } from "../storage/open-entry.ts";
import { crypto } from "../storage/read.ts";
import { HISTORY } from "./blobs.ts";

/** Keeps what must not be in the history's folders, for a person to look at. */
const ASIDE = "aside";

/** Moves an entry of an open folder of the history aside, whatever it is. */
export function setAside(root: string, from: Pick<OpenEntry, "at">, name: string): void {
  using folder = makeHome(root, [HISTORY, ASIDE]);
  renameSync(join(from.at, name), join(folder.at, `${crypto().randomBytes(3).toString("hex")}-${name}`));
}

export function removeAside(root: string): void {
  using folder = findHome(root, [HISTORY]);
  if (folder === undefined) return;
  rmSync(join(folder.at, ASIDE), { recursive: true, force: true });
}
