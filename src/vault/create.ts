import { join } from "node:path";
import { checkNewFilename } from "../domain/names.ts";
import { Descent, pathError } from "../files/descent.ts";
import { fileError, shownPath } from "../files/errors.ts";
import { makeRoot } from "../files/folders.ts";
import { createFile } from "../files/write.ts";
import { UserError } from "../lib/errors.ts";
import type { Vault } from "../workspace/vault.ts";
import { checkPlace } from "./file.ts";
import { checkRules, parseFilePath } from "./path.ts";

/**
 * Creates a file, and the folders it needs; answers its path as it is on disk. Throws conflict when the name is taken,
 * also by one that some disks cannot tell from it.
 */
export async function createInVault(vault: Vault, path: string, bytes: Uint8Array): Promise<string> {
  const [folders, name] = parseFilePath(path);
  checkRules([...folders, name], "create");
  checkNewName([...folders, name], path);
  await makeRoot(vault.root);
  const descent = Descent.from(vault.root, path);
  if (descent === undefined) throw pathError("not_found", path, "has no vault around it. Try again.");
  try {
    enterOrMake(vault, descent, { folders, name, path, size: bytes.length });
    const taken = descent.taken(name);
    if (taken !== undefined) throw conflict(path, taken);
    if (!(await create(join(descent.at, name), bytes, path))) throw conflict(path, name);
    const place = descent.place(name);
    await vault.written(descent.fileOf(place), bytes.length);
    return place.join("/");
  } finally {
    descent.close();
  }
}

/** Ends up in the folder of the new file; the rules are asked again for the names on disk before anything is made. */
function enterOrMake(vault: Vault, descent: Descent, { folders, name, path, size }: NewFile): void {
  const depth = folders.findIndex((folder) => !enterTwin(descent, folder));
  const missing = depth === -1 ? [] : folders.slice(depth);
  const place = [...descent.place(), ...missing, name];
  const file = descent.fileOf(place);
  checkPlace(vault, file, { place, use: "create" });
  vault.check(file, size);
  for (const folder of missing) {
    if (!descent.make(folder))
      throw pathError(
        "conflict",
        path,
        `needs a folder '${folder}', and that is a file. Choose another path.`,
      );
  }
}

interface NewFile {
  folders: string[];
  name: string;
  path: string;
  /** Bytes. */
  size: number;
}

function enterTwin(descent: Descent, folder: string): boolean {
  if (descent.enter(folder)) return true;
  const twin = descent.taken(folder);
  return twin !== undefined && descent.enter(twin);
}

/** New names follow the rule for all names, so that a workspace stays portable. */
function checkNewName(parts: string[], path: string): void {
  try {
    checkNewFilename(parts.join("/"));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError("invalid_path", error.message, { details: { path: shownPath(path) } });
  }
}

async function create(file: string, bytes: Uint8Array, path: string): Promise<boolean> {
  try {
    return await createFile(file, bytes);
  } catch (error) {
    throw fileError("create", path, error);
  }
}

function conflict(path: string, taken: string): UserError {
  const other = path.endsWith(taken)
    ? ""
    : ` (as '${shownPath(taken)}', which some disks cannot tell from it)`;
  const problem = `already exists${other}. Use vault_replace to change it, or choose another name.`;
  return pathError("conflict", path, problem);
}
