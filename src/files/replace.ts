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
  /** As it was read through the gate: absolute and link-free. */
  file: string;
  /** What was read: the file must still hold it in the last moment. */
  before: Buffer;
  after: Buffer;
  /** Makes the error for a file that holds something else by now; undefined when it is gone. */
  changed: (now: Buffer | undefined) => UserError;
  /** Under which it was read. */
  lock: Lock;
}

/** Replaces a file that was read through the gate, in its folder, which must still be where it was. */
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
