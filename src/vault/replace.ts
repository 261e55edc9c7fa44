import { isUtf8 } from "node:buffer";
import { pathError } from "../files/descent.ts";
import { guarded } from "../files/errors.ts";
import type { Lock } from "../files/locks.ts";
import { readBytes } from "../files/read.ts";
import { replaceFile } from "../files/write.ts";
import type { Vault } from "../workspace/vault.ts";
import { type VaultFile, withFile } from "./file.ts";

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
  return vault.locked(file, (lock) =>
    withFile(vault, wanted, (opened) => replaceIn(vault, opened, { ...edit, lock })),
  );
}

async function replaceIn(
  vault: Vault,
  file: VaultFile,
  { lock, ...edit }: Edit & { lock: Lock },
): Promise<Replaced> {
  const { path } = file;
  const before = await guarded("read", path, () => readBytes(file.descriptor));
  file.release();
  if (!isUtf8(before))
    throw pathError("conflict", path, "is not valid UTF-8: a change could damage it. Convert it first.");
  const { bytes, replacements } = replaceBytes(before, edit);
  if (replacements === 0 || bytes.equals(before)) return { path, replacements };
  const unchanged = () => {
    if (readBytes(file.held).equals(before)) return;
    throw pathError("conflict", path, "was changed by somebody else at this moment. Repeat the call.");
  };
  await guarded("write", path, () => replaceFile(file.held, [bytes], unchanged, { lock }));
  await vault.written(file.file, bytes.length);
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
