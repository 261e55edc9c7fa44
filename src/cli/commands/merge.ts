import { basename, resolve } from "node:path";
import { UsageError } from "../../core/config/options.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { counted } from "../../core/lib/text.ts";
import { MARKERS } from "../../core/markdown/merge-lines.ts";
import { mergeNotes } from "../../core/notes/merge/merge.ts";
import { isSessionPath } from "../../core/notes/session/file.ts";
import { replaceFile } from "../../core/storage/atomic-write.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { contentOf, readIfPresent } from "../../core/storage/read.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { findMergeDriver, registerDriver, removeDriver } from "../merge-driver.ts";
import { print, say } from "../terminal.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/** A merge driver of git: the result goes into the file of ours, and the exit code is 1 if it holds conflicts. */
export async function run(context: CommandContext): Promise<number> {
  const { words, options } = context;
  if (options.has("register") && options.has("remove"))
    throw new UsageError("--register and --remove are two directions: choose one");
  if (options.has("register") || options.has("remove")) return setDriver(context);
  if (words.length !== 3) throw new UsageError("merge takes three files: base, ours and theirs");
  const [base = "", ours = "", theirs = ""] = words.map((word) => resolve(word));
  const path = options.text("path") ?? words[1] ?? "";
  const texts = { base: readSide(base), ours: readSide(ours), theirs: readSide(theirs) };
  const markers = { ...MARKERS, size: options.number("marker-size") ?? MARKERS.size };
  const { text, conflicts } = mergeNotes(texts, { isSession: isSessionPath(path), show: markers });
  if (text !== texts.ours) await replaceFile(ours, [Buffer.from(text)]);
  if (conflicts > 0)
    say(context, `${path}: ${counted(conflicts, "conflict")}, marked with ${"<".repeat(markers.size)}`);
  print(context, { success: conflicts === 0, path, conflicts }, "");
  return conflicts === 0 ? 0 : 1;
}

/** Has git call this command for the notes of this clone, or no longer. */
async function setDriver(context: CommandContext): Promise<number> {
  const { config, machine, options } = context;
  if (config.readOnly) throw readOnlyError();
  const driver = await findMergeDriver(machine, config.root);
  if (driver === undefined) {
    const message = `${quoteName(config.root)} is not in a git repository, or git does not run here. Notes outside of git need no merging.`;
    throw new UserError("INVALID_ARGUMENT", message);
  }
  const isOn = options.has("register");
  await (isOn ? registerDriver(machine, driver) : removeDriver(machine, driver));
  const text = isOn
    ? "git merges the notes of this clone by what they say. Commit .gitattributes; other clones run this command once."
    : "git merges the notes of this clone line by line again.";
  print(context, { success: true, registered: isOn, root: driver.root }, `${text}\n`);
  return 0;
}

function readSide(file: string): string {
  const bytes = attempt(() => readIfPresent(file, MAX_BYTES));
  const { text, exact } = contentOf(bytes ?? Buffer.alloc(0));
  if (bytes !== undefined && exact) return text;
  const name = quoteName(basename(file));
  const reason = bytes === undefined ? "cannot be read, or is larger than 64 MB" : "is not UTF-8";
  throw new UserError("FILESYSTEM_ERROR", `${name} ${reason}. Nothing was changed: merge it by hand.`);
}
