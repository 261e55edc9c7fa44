import { basename, dirname, join } from "node:path";
import type { UserError } from "../lib/errors.ts";
import { guarded } from "./errors.ts";
import type { Gate } from "./gate.ts";
import type { Lock } from "./locks.ts";
import { closePlace, isStillThere, readIn } from "./place.ts";
import { replaceFile } from "./write.ts";

export interface Replacement {
  /** Below the root. */
  path: string;
  /** What was read: the file must still hold it in the last moment. */
  before: Buffer;
  after: Buffer;
  /** Makes the error for a file that holds something else by now; undefined when it is gone. */
  changed: (now: Buffer | undefined) => UserError;
  /** Under which it was read. */
  lock: Lock;
}

/** Replaces a file that was read through the gate, in the folder that the gate opens. */
export function replaceRead(gate: Gate, { path, before, after, changed, lock }: Replacement): Promise<void> {
  return guarded("write", path, async () => {
    const found = gate.resolve(path);
    const folder = found && gate.openFolder(gate.partsOf(dirname(found.file)).join("/"));
    if (found === undefined || folder === undefined) throw changed(undefined);
    const name = basename(found.file);
    try {
      const check = () => {
        const now = isStillThere(folder) ? readIn(folder, name) : undefined;
        if (!now?.equals(before)) throw changed(now);
      };
      await replaceFile(join(folder.at, name), [after], check, { lock });
    } finally {
      closePlace(folder);
    }
  });
}
