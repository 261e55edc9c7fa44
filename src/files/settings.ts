import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing } from "./errors.ts";
import { namesIn } from "./inspect.ts";
import { readContent } from "./read.ts";
import { realPath } from "./upwards.ts";
import { createFile, replaceFile } from "./write.ts";

/** Settings of another program, as they were read. */
export interface SettingsFile {
  /** Absolute; a link is followed, so that it stays one. */
  file: string;
  /** Undefined when there is no file. */
  bytes: Buffer | undefined;
  /** The same as text; only when `exact` does it give back the bytes. */
  text: string;
  exact: boolean;
}

/** Throws what the system says when there is a file that cannot be read. */
export function readSettings(file: string): SettingsFile {
  try {
    const { bytes, text, exact } = readContent(file);
    return { file: realPath(file), bytes, text, exact };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { file, bytes: undefined, text: "", exact: true };
  }
}

/** The copies that were made of a file before, the latest first. */
export function backupsOf(file: string): SettingsFile[] {
  const found = namesIn(dirname(file)).flatMap((name) => {
    const number = backupNumber(file, name);
    return number === undefined ? [] : [{ name, number }];
  });
  found.sort((one, other) => other.number - one.number);
  return found.flatMap(({ name }) => {
    try {
      return [readSettings(join(dirname(file), name))];
    } catch {
      return []; // A copy that cannot be read is none.
    }
  });
}

/**
 * Writes new bytes (or removes the file), and keeps the old ones beside it: `.bak`, then `.bak.1` …, never over an earlier
 * copy. Answers the copy. `changed` makes the error for a file that somebody else wrote meanwhile.
 */
export async function saveSettings(
  before: SettingsFile,
  after: Buffer | undefined,
  changed: () => Error,
): Promise<string | undefined> {
  const { file, bytes } = before;
  const check = () => {
    if (!isSame(readSettings(file).bytes, bytes)) throw changed();
  };
  check();
  if (bytes === undefined) {
    if (after !== undefined && !(await createFile(file, after))) throw changed();
    return undefined;
  }
  const backup = await keep(file, bytes);
  if (after === undefined) {
    check();
    await rm(file);
  } else await replaceFile(file, [after], check);
  return backup;
}

/** A copy with the same bytes does for another one. */
async function keep(file: string, bytes: Buffer): Promise<string> {
  const known = backupsOf(file);
  const equal = known.find((backup) => isSame(backup.bytes, bytes));
  if (equal !== undefined) return equal.file;
  const numbers = namesIn(dirname(file)).map((name) => backupNumber(file, name) ?? -1);
  for (let number = Math.max(...numbers) + 1; ; number++) {
    const backup = number === 0 ? `${file}.bak` : `${file}.bak.${number}`;
    if (await createFile(backup, bytes, { like: file })) return backup;
  }
}

function backupNumber(file: string, name: string): number | undefined {
  const start = `${basename(file)}.bak`;
  if (name === start) return 0;
  const digits = name.startsWith(`${start}.`) ? name.slice(start.length + 1) : "";
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}
