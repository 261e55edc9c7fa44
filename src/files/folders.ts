import { existsSync, mkdirSync, promises, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, fileError, isMissing } from "./errors.ts";
import { gateOf } from "./gate.ts";
import { openNew, openNewFolder } from "./new-place.ts";
import { closePlace } from "./place.ts";
import { foldersUpwards } from "./upwards.ts";

/** Makes a folder and those above it. Throws what the system says, also where Node says ENOENT: on a read-only disk. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const first = isMissing(error)
      ? foldersUpwards(folder).findLast((above) => !existsSync(above))
      : undefined;
    if (first !== undefined) mkdirSync(first);
    throw error;
  }
}

/**
 * Makes a folder in the root (itself made when missing) with folders of its own. Answers what has the name already, or one
 * that some disks cannot tell from it.
 */
export async function makeFolders(
  root: string,
  name: string,
  inner: readonly string[],
): Promise<string | undefined> {
  makeFolder(root);
  const gate = gateOf(root);
  const place = openNew(gate, name);
  try {
    if (place.taken !== undefined) return place.taken.name;
    mkdirSync(place.at);
    for (const folder of inner) closePlace(openNewFolder(gate, `${name}/${folder}`));
    return undefined;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return name;
    throw error;
  } finally {
    place.close();
  }
}

/** Whether a root can never be a folder, since its place, or one on the way to it, is taken by something else. */
export function isNoFolder(root: string): boolean {
  try {
    return !statSync(root).isDirectory();
  } catch (error) {
    return ["ENOTDIR", "ELOOP"].includes(errorCode(error));
  }
}

/** Makes a root, which need not exist before the first write. */
export async function makeRoot(root: string): Promise<void> {
  try {
    makeFolder(root);
  } catch (error) {
    throw fileError("create", "the root", error);
  }
}

/** Removes a folder of the root with its inner ones, as far as they are empty. */
export async function removeEmptyFolders(
  root: string,
  name: string,
  inner: readonly string[],
): Promise<void> {
  for (const folder of [...inner.map((part) => join(root, name, part)), join(root, name)]) {
    try {
      await promises.rmdir(folder);
    } catch {
      // Somebody has put something there already: it stays.
    }
  }
}
