import { basename, dirname, join } from "node:path";
import type { UserError } from "../lib/errors.ts";
import { guarded } from "./errors.ts";
import type { Lock } from "./locks.ts";
import { closePlace, openPlace } from "./place.ts";
import { readPlace } from "./read.ts";
import { replaceFile } from "./write.ts";

export interface Replacement {
  /** For messages. */
  path: string;
  /** Absolute and link-free. */
  file: string;
  /** The bytes it must still have right before it is replaced. */
  before: Buffer;
  after: Buffer;
  /** Makes the error for a file that changed meanwhile; undefined when it is gone. */
  changed: (now: Buffer | undefined) => UserError;
  /** The lock under which it was read. */
  lock: Lock;
}

/** Replaces a file that was read through the gate, in the folder it was read from. */
export function replaceRead({ path, file, before, after, changed, lock }: Replacement): Promise<void> {
  return guarded("write", path, async () => {
    const folder = openPlace(dirname(file), "folder");
    if (folder === undefined || folder === "moved") throw changed(undefined);
    const at = join(folder.at, basename(file));
    const check = () => {
      const now = readPlace(file, at);
      if (!now?.equals(before)) throw changed(now);
    };
    try {
      await replaceFile(at, [after], check, { lock });
    } finally {
      closePlace(folder);
    }
  });
}
