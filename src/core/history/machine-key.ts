import { join } from "node:path";
import { createFile } from "../storage/atomic-write.ts";
import { attempt } from "../storage/fs-errors.ts";
import { makeOwnFolder } from "../storage/own-file.ts";
import { crypto, readIfPresent } from "../storage/read.ts";

const NAME = "history.key";
const KEY_BYTES = 32;

/** The key of this user on this machine, in the user's state folder; undefined if there is none. */
export function findKey(state: string): string | undefined {
  const text = attempt(() => readIfPresent(join(state, NAME), KEY_BYTES * 2)?.toString("latin1"));
  return text?.length === KEY_BYTES * 2 ? text : undefined;
}

/** Makes the key if there is none; undefined if the folder cannot be written. Only the user can read it. */
export async function makeKey(state: string): Promise<string | undefined> {
  const found = findKey(state);
  if (found !== undefined) return found;
  try {
    makeOwnFolder(state);
    await createFile(join(state, NAME), Buffer.from(newKey()), { mode: 0o600 });
  } catch {
    // A service without a home has no key that outlives it.
    return undefined;
  }
  return findKey(state);
}

export function newKey(): string {
  return crypto().randomBytes(KEY_BYTES).toString("hex");
}

/** Signs texts for a use with the key of this user on this machine: no other can. Undefined without a key. */
export function signerOf(
  state: string | undefined,
  ...use: readonly string[]
): ((...parts: readonly string[]) => string) | undefined {
  const key = state && findKey(state);
  return key ? (...parts) => sign(key, ...use, ...parts) : undefined;
}

/** Proves that who has the key wrote these parts. */
export function sign(key: string, ...parts: readonly string[]): string {
  return crypto().createHmac("sha256", key).update(JSON.stringify(parts)).digest("hex");
}
