import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { guarded } from "../files/errors.ts";
import type { Lock } from "../files/locks.ts";
import { readBytes } from "../files/read.ts";
import { replaceRead } from "../files/replace.ts";
import { MAX_DOCUMENT_BYTES } from "../files/walk.ts";
import { tooLarge, VAULT_CODES } from "../workspace/limits.ts";
import type { Vault } from "../workspace/vault.ts";
import { type VaultFile, withFile } from "./file.ts";
import { pathError } from "./path.ts";

export interface Edit {
  find: Buffer;
  replace: Buffer;
  /** How many places to replace at most, from the start. */
  most: number;
}

/** Replacements from one turn of the others to the next. */
const TURN = 50_000;

interface Replaced {
  path: string;
  replacements: number;
}

/**
 * Replaces literal text of a file under its project's lock; what is not replaced stays byte for byte. Throws
 * invalid_parameter for a result that is too large, conflict for a file that is not valid UTF-8, or that somebody who
 * asks for no lock changes at this moment.
 */
export async function replaceInVault(vault: Vault, path: string, edit: Edit): Promise<Replaced> {
  const wanted = { path, use: "replace" } as const;
  const file = await withFile(vault, wanted, async (found) => found.file);
  return vault.locked(file, async (lock) => {
    const read = await withFile(vault, wanted, readWhole);
    return replaceIn(vault, read, { ...edit, lock });
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
  { lock, ...edit }: Edit & { lock: Lock },
): Promise<Replaced> {
  if (!isUtf8(before))
    throw pathError("conflict", path, "is not valid UTF-8: a change could damage it. Convert it first.");
  const { bytes: after, replacements } = await replaceBytes(before, edit, path);
  if (replacements === 0 || after.equals(before)) return { path, replacements };
  const changed = () =>
    pathError("conflict", path, "was changed by somebody else at this moment. Repeat the call.");
  await replaceRead({ path, file, before, after, changed, lock });
  await vault.written(file, after.length);
  return { path, replacements };
}

/**
 * In valid UTF-8 no character begins inside another: bytes that are equal are text that is equal. Others get their turns,
 * and what would grow too large is refused before there is memory for it.
 */
async function replaceBytes(before: Buffer, edit: Edit, path: string): Promise<Replaced & { bytes: Buffer }> {
  const { find, replace } = edit;
  let replacements = 0;
  for (const _ of places(before, edit)) if (++replacements % TURN === 0) await setImmediate();
  const size = before.length + replacements * (replace.length - find.length);
  if (size > Math.max(MAX_DOCUMENT_BYTES, before.length)) throw tooLarge(path, VAULT_CODES);
  const bytes = Buffer.allocUnsafe(size);
  let [from, to, done] = [0, 0, 0];
  for (const at of places(before, edit)) {
    to += before.copy(bytes, to, from, at);
    to += replace.copy(bytes, to);
    from = at + find.length;
    if (++done % TURN === 0) await setImmediate();
  }
  before.copy(bytes, to, from);
  return { path, bytes, replacements };
}

function* places(before: Buffer, { find, most }: Edit): Generator<number> {
  let at = before.indexOf(find);
  for (let count = 0; count < most && at !== -1; count++) {
    yield at;
    at = before.indexOf(find, at + find.length);
  }
}
