import { join } from "node:path";
import { Descent, pathError } from "../files/descent.ts";
import { listPlain } from "../files/list.ts";
import { closeFile, type OpenedFile, openRegular } from "../files/open.ts";
import { nearest } from "../lib/text.ts";
import type { Vault } from "../workspace/vault.ts";
import { checkRules, isVisible, parseFilePath, type Use } from "./path.ts";

/** A file of the vault that is open: what happens to its name meanwhile changes nothing. */
export interface VaultFile extends OpenedFile {
  /** Below the vault's root, as it is on disk, with `/`. */
  path: string;
  /** Absolute and link-free. */
  file: string;
  /** The same file for file calls: no link can be put in its way. */
  held: string;
  /** Closes the file before `work` ends: Windows replaces none that is open. */
  release(): void;
}

interface Wanted {
  path: string;
  use: Use;
}

/** Opens a file by its path, for the time that `work` takes. Throws invalid_path, not_found, forbidden, out_of_scope. */
export async function withFile<T>(
  vault: Vault,
  wanted: Wanted,
  work: (file: VaultFile) => Promise<T>,
): Promise<T> {
  const [folders, name] = parseFilePath(wanted.path);
  checkRules([...folders, name], wanted.use);
  const descent = Descent.from(vault.root, wanted.path);
  try {
    if (descent === undefined || !folders.every((folder) => descent.enter(folder)))
      throw notFound(wanted.path, []);
    return await withOpened(vault, { ...wanted, descent, name }, work);
  } finally {
    descent?.close();
  }
}

async function withOpened<T>(
  vault: Vault,
  { path, use, descent, name }: Wanted & { descent: Descent; name: string },
  work: (file: VaultFile) => Promise<T>,
): Promise<T> {
  const before = [...descent.place(), name];
  checkPlace(vault, descent.fileOf(before), { place: before, use });
  const opened = openRegular(descent, name, path);
  if (opened === undefined) throw notFound(path, nearest(name, visibleFiles(descent, path)));
  let isOpen = true;
  const release = () => {
    if (isOpen) closeFile(opened.descriptor);
    isOpen = false;
  };
  try {
    // A disk may know the file by another name than this one.
    const place = descent.place(name);
    const file = descent.fileOf(place);
    checkPlace(vault, file, { place, use });
    return await work({ ...opened, path: place.join("/"), file, held: join(descent.at, name), release });
  } finally {
    release();
  }
}

/** The rules for a place on disk; `file` is the absolute one. Throws forbidden. */
export function checkPlace(vault: Vault, file: string, { place, use }: { place: string[]; use: Use }): void {
  checkRules(place, use);
  if (vault.isIndex(file))
    throw pathError("forbidden", place.join("/"), "is the index of the workspace. Use search to ask it.");
}

function visibleFiles(descent: Descent, path: string): string[] {
  const files = listPlain(descent.at, path).filter(({ kind }) => kind === "file");
  return files.map(({ name }) => name).filter(isVisible);
}

function notFound(path: string, suggestions: string[]): Error {
  const problem = "is no file of the vault. Call vault_ls to see what exists.";
  return pathError("not_found", path, problem, { suggestions });
}
