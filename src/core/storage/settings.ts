import { rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createFile, replaceFile } from "./atomic-write.ts";
import { attempt } from "./fs-errors.ts";
import { namesIn } from "./inspect.ts";
import { contentOf, readIfPresent } from "./read.ts";
import { makeUserFolder, ownerLike, resolveUserFile, type UserFile } from "./user-file.ts";

/** Settings take kilobytes, or some megabytes if a client keeps its history there. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A new file for one user may get a token later. */
const PRIVATE = 0o600;

/** Settings, or a backup of them. */
interface Copy {
  /** Absolute and link-free. */
  file: string;
  /** Undefined if there is no file. */
  bytes: Buffer | undefined;
  /** The bytes as text, which encodes to them only when `exact`. */
  text: string;
  exact: boolean;
}

/** Settings of another program, or another file of the user outside the workspace. */
export interface SettingsFile extends Copy {
  place: UserFile;
}

export interface Save {
  /** The new bytes; undefined removes the file. */
  after: Buffer | undefined;
  /** Makes the error for a file that another program changed meanwhile. */
  changed: () => Error;
}

/** Throws system errors for a file that cannot be read, and INVALID_PATH like `resolveUserFile`. */
export function readSettings(place: UserFile): SettingsFile {
  const { file } = resolveUserFile(place);
  return { place, ...readCopy(file) };
}

function readCopy(file: string): Copy {
  const bytes = readIfPresent(file, MAX_BYTES);
  const { text, exact } = contentOf(bytes ?? Buffer.alloc(0));
  return { file, bytes, text, exact };
}

/** The readable backups of a file, latest first, without links. */
function backupsOf(file: string): Copy[] {
  const backups = backupNames(file).sort((one, other) => other.number - one.number);
  return backups.flatMap(({ name }) => attempt(() => readCopy(join(dirname(file), name))) ?? []);
}

/**
 * Writes new bytes (or removes the file), and keeps the old ones beside it: `.bak`, then `.bak.1` …, never over an earlier
 * backup. Returns the backup.
 */
export async function saveSettings(before: SettingsFile, save: Save): Promise<string | undefined> {
  const backup = await writeSettings(before, save, backUp);
  return backup && join(dirname(before.file), basename(backup));
}

/** Writes new bytes (or removes the file) without a backup. */
export async function replaceSettings(before: SettingsFile, save: Save): Promise<void> {
  await writeSettings(before, save, async () => undefined);
}

async function writeSettings(
  before: SettingsFile,
  { after, changed }: Save,
  backUpOld: (file: string, bytes: Buffer) => Promise<string | undefined>,
): Promise<string | undefined> {
  const real = resolveUserFile(before.place);
  if (real.file !== before.file) throw changed();
  const { file } = real;
  makeUserFolder(real, before.place.shown);
  const check = () => {
    const isThere = resolveUserFile(before.place).file === file;
    if (!isThere || !isSame(readCopy(file).bytes, before.bytes)) throw changed();
  };
  check();
  if (before.bytes === undefined) {
    if (after !== undefined && !(await create(file, after, before.place))) throw changed();
    return undefined;
  }
  const backup = await backUpOld(file, before.bytes);
  if (after !== undefined) await replaceFile(file, [after], check);
  else {
    check();
    rmSync(file);
  }
  return backup;
}

function create(file: string, bytes: Buffer, { isPrivate }: UserFile): Promise<boolean> {
  const owner = ownerLike(statSync(dirname(file)));
  return createFile(file, bytes, { owner, ...(isPrivate === true && { mode: PRIVATE }) });
}

/** Reuses a backup with the same bytes. */
async function backUp(file: string, bytes: Buffer): Promise<string> {
  const equal = backupsOf(file).find((backup) => isSame(backup.bytes, bytes));
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
