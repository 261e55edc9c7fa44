import { rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isMissing } from "./errors.ts";
import { namesIn } from "./inspect.ts";
import { ownerLike, type Place, resolvePlace, withHeld } from "./outside-place.ts";
import { contentOf, readRegular } from "./read.ts";
import { createFile, replaceFile } from "./write.ts";

/** Settings have some kilobytes, and a client's history in them some megabytes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A new file of one person: what is added to it later may be a token. */
const PRIVATE = 0o600;

/** A copy of settings, or settings themselves, as they were read. */
export interface Copy {
  /** Absolute; where links lead. */
  file: string;
  /** Undefined when there is no file. */
  bytes: Buffer | undefined;
  /** The same as text; only when `exact` does it give back the bytes. */
  text: string;
  exact: boolean;
}

/** Settings of another program, or another file that a person keeps outside of the workspace, as they were read. */
export interface SettingsFile extends Copy {
  place: Place;
}

export interface Save {
  /** The new bytes; undefined removes the file. */
  after: Buffer | undefined;
  /** Makes the error for a file that another program changed meanwhile. */
  changed: () => Error;
}

/** Throws what the system says when there is a file that cannot be read, and INVALID_PATH as `resolvePlace` does. */
export function readSettings(place: Place): SettingsFile {
  const { file } = resolvePlace(place);
  return { place, ...readCopy(file) };
}

/** A name that became a link just now is not followed. */
function readCopy(file: string): Copy {
  try {
    const { bytes, text, exact } = contentOf(readRegular(file, MAX_BYTES, false).bytes);
    return { file, bytes, text, exact };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { file, bytes: undefined, text: "", exact: true };
  }
}

/** The copies that were made of a file before, the latest first; links are none. */
export function backupsOf(file: string): Copy[] {
  const found = backupNames(file).sort((one, other) => other.number - one.number);
  return found.flatMap(({ name }) => {
    try {
      return [readCopy(join(dirname(file), name))];
    } catch {
      return []; // A copy that cannot be read is none.
    }
  });
}

/**
 * Writes new bytes (or removes the file), and keeps the old ones beside it: `.bak`, then `.bak.1` …, never over an earlier
 * copy. Answers the copy.
 */
export function saveSettings(before: SettingsFile, save: Save): Promise<string | undefined> {
  return writeHeld(before, save, async (held, bytes) => {
    const backup = await keep(held, bytes);
    return join(dirname(before.file), basename(backup));
  });
}

/** The same without a copy. */
export async function replaceSettings(before: SettingsFile, save: Save): Promise<void> {
  await writeHeld(before, save, async () => undefined);
}

async function writeHeld(
  before: SettingsFile,
  { after, changed }: Save,
  keepOld: (held: string, bytes: Buffer) => Promise<string | undefined>,
): Promise<string | undefined> {
  const real = resolvePlace(before.place);
  if (real.file !== before.file) throw changed();
  return withHeld(real, before.place.shown, async (held) => {
    const check = () => {
      const isThere = resolvePlace(before.place).file === before.file;
      if (!isThere || !isSame(readCopy(held).bytes, before.bytes)) throw changed();
    };
    check();
    if (before.bytes === undefined) {
      if (after !== undefined && !(await create(held, after, before.place))) throw changed();
      return undefined;
    }
    const backup = await keepOld(held, before.bytes);
    if (after !== undefined) await replaceFile(held, [after], check);
    else {
      check();
      rmSync(held);
    }
    return backup;
  });
}

function create(file: string, bytes: Buffer, { isPrivate }: Place): Promise<boolean> {
  const owner = ownerLike(statSync(dirname(file)));
  return createFile(file, bytes, { owner, ...(isPrivate === true && { mode: PRIVATE }) });
}

/** A copy with the same bytes does for another one. */
async function keep(file: string, bytes: Buffer): Promise<string> {
  const known = backupsOf(file);
  const equal = known.find((backup) => isSame(backup.bytes, bytes));
  if (equal !== undefined) return equal.file;
  const owner = ownerLike(statSync(file));
  const last = backupNames(file).reduce((most, { number }) => Math.max(most, number), -1);
  for (let number = last + 1; ; number++) {
    const backup = number === 0 ? `${file}.bak` : `${file}.bak.${number}`;
    if (await createFile(backup, bytes, { like: file, owner })) return backup;
  }
}

function backupNames(file: string): { name: string; number: number }[] {
  return namesIn(dirname(file)).flatMap((name) => {
    const number = backupNumber(file, name);
    return number === undefined ? [] : [{ name, number }];
  });
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
