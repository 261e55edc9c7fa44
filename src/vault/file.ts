import type { Gate } from "../files/gate.ts";
import { listPlain } from "../files/list.ts";
import { closePlace, type OpenPlace } from "../files/place.ts";
import { nearest } from "../lib/text.ts";
import type { Vault } from "../workspace/vault.ts";
import { isVisible, parseFilePath, pathError, type Use, vaultGate } from "./path.ts";

/** An open file of the vault. */
export interface VaultFile extends OpenPlace {
  /** Below the vault's root, as it is on disk, with `/`. */
  path: string;
}

/** Opens a file by its path while `work` runs. Throws invalid_path, not_found, forbidden, out_of_scope. */
export async function withFile<T>(
  vault: Vault,
  { path, use }: { path: string; use: Use },
  work: (file: VaultFile) => Promise<T>,
): Promise<T> {
  const [folders, name] = parseFilePath(path);
  const gate = vaultGate(vault, use);
  const opened = gate.openFile([...folders, name].join("/"));
  if (opened === undefined) throw notFound(gate, folders, name);
  try {
    return await work({ ...opened, path: gate.partsOf(opened.file).join("/") });
  } finally {
    closePlace(opened);
  }
}

function notFound(gate: Gate, folders: readonly string[], name: string): Error {
  const files = (listPlain(gate, folders.join("/")) ?? []).filter(({ kind }) => kind === "file");
  const suggestions = nearest(name, files.map((file) => file.name).filter(isVisible));
  const problem = "is no file of the vault. Call vault_ls to see what exists.";
  return pathError("not_found", [...folders, name].join("/"), problem, { suggestions });
}
