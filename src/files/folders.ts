import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./errors.ts";

/** Makes a folder in the root (itself made when missing) with folders of its own; false when the name is taken. */
export async function makeFolders(root: string, name: string, inner: readonly string[]): Promise<boolean> {
  await mkdir(root, { recursive: true });
  try {
    await mkdir(join(root, name));
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  for (const folder of inner) await mkdir(join(root, name, folder), { recursive: true });
  return true;
}
