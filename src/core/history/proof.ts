import { realPath } from "../storage/folders.ts";
import type { History } from "./history.ts";
import { findKey, makeKey, sign } from "./machine-key.ts";
import type { Operation } from "./record.ts";

/** An operation with the proof that a person made it, if one did: a log may come from someone else, and any client by any name. */
export async function proven({ root, state, actor }: History, operation: Operation): Promise<Operation> {
  const key = actor().isPerson === true && state !== undefined ? await makeKey(state) : undefined;
  return key === undefined ? operation : { ...operation, person: proofOf(key, root, operation) };
}

/** Whether a person made it, at the terminal or the page, as this user on this machine. */
export function isProven({ root, state }: Pick<History, "root" | "state">, operation: Operation): boolean {
  const key = state === undefined || operation.person === undefined ? undefined : findKey(state);
  return key !== undefined && operation.person === proofOf(key, root, operation);
}

function proofOf(key: string, root: string, { id, time, changes }: Operation): string {
  return sign(key, "person", realPath(root), JSON.stringify([id, time, changes]));
}
