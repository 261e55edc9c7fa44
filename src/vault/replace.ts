import { isUtf8 } from "node:buffer";
import { guarded } from "../files/errors.ts";
import { readBytes } from "../files/read.ts";
import { replaceRead } from "../files/replace.ts";
import type { Vault } from "../workspace/vault.ts";
import { type VaultFile, withFile } from "./file.ts";
import { vaultGate } from "./gate.ts";
import { pathError } from "./path.ts";

export interface Edit {
  find: Buffer;
  replace: Buffer;
  /** How many places to replace at most, from the start. */
  most: number;
}

interface Replaced {
  path: string;
  replacements: number;
}

/**
 * Replaces literal text of a file under its project's lock; what is not replaced stays byte for byte. Throws conflict
 * for a file that is not valid UTF-8, or that somebody who asks for no lock changes at this moment.
 */
export async function replaceInVault(vault: Vault, path: string, edit: Edit): Promise<Replaced> {
  const wanted = { path, use: "replace" } as const;
  const file = await withFile(vault, wanted, async (found) => found.file);
  return vault.locked(file, async () => {
    const read = await withFile(vault, wanted, readWhole);
    return replaceIn(vault, read, edit);
  });
}

interface WholeFile extends Pick<VaultFile, "path" | "file"> {
  bytes: Buffer;
}

/** The file is closed afterwards: Windows replaces none that is open. */
async function readWhole({ path, file, descriptor }: VaultFile): Promise<WholeFile> {
  return { path, file, bytes: await guarded("read", path, () => readBytes(descriptor)) };
}

async function replaceIn(
  vault: Vault,
  { path, file, bytes: before }: WholeFile,
  edit: Edit,
): Promise<Replaced> {
  if (!isUtf8(before))
    throw pathError("conflict", path, "is not valid UTF-8: a change could damage it. Convert it first.");
  const { bytes: after, replacements } = replaceBytes(before, edit);
  if (replacements === 0 || after.equals(before)) return { path, replacements };
  const changed = () =>
    pathError("conflict", path, "was changed by somebody else at this moment. Repeat the call.");
  await replaceRead(vaultGate(vault, "read"), { path, before, after, changed });
  await vault.written(file, after.length);
  return { path, replacements };
}

/** In valid UTF-8 no character begins inside another: bytes that are equal are text that is equal. */
function replaceBytes(
  before: Buffer,
  { find, replace, most }: Edit,
): { bytes: Buffer; replacements: number } {
  const parts: Buffer[] = [];
  let from = 0;
  let replacements = 0;
  for (; replacements < most; replacements++) {
    const at = before.indexOf(find, from);
    if (at === -1) break;
    parts.push(before.subarray(from, at), replace);
    from = at + find.length;
  }
  return { bytes: Buffer.concat([...parts, before.subarray(from)]), replacements };
}
