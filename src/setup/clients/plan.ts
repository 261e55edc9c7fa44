import { isDeepStrictEqual } from "node:util";
import { changedMeanwhile, UserError } from "../../core/lib/errors.ts";
import { withoutMark } from "../../core/lib/text.ts";
import { guarded } from "../../core/storage/fs-errors.ts";
import { readSettings, type SettingsFile, saveSettings } from "../../core/storage/settings.ts";
import type { UserFile } from "../../core/storage/user-file.ts";
import { BrokenSettings, type Entry, entryChanges, type Target } from "./entry.ts";

/** A planned change of a file. */
export interface SettingsPlan {
  before: SettingsFile;
  /** The path for people. */
  shown: string;
  /** The new bytes; undefined to remove the file. The old ones if there is nothing to do. */
  after: Buffer | undefined;
}

/** Plans to write a value. Throws CONFLICT for broken settings, with the line. */
export async function planWrite(place: UserFile, target: Target, value: Entry): Promise<SettingsPlan> {
  return plan(place, (text) => {
    const after = target.write(text, value);
    const { set, remove } = entryChanges(target.read(after) ?? {}, value);
    return checked(target, text, { after, isDone: Object.keys(set).length + remove.length === 0 });
  });
}

/** Plans to remove it, with the file if that holds nothing else. */
export async function planRemove(place: UserFile, target: Target): Promise<SettingsPlan> {
  return plan(place, (text) => {
    const current = target.read(text);
    if (current === undefined) return text;
    if (target.write("", current) === text) return undefined;
    const after = target.remove(text);
    return checked(target, text, { after, isDone: target.read(after) === undefined });
  });
}

/** The text after an edit that did what it should, and nothing else. */
function checked(
  target: Target,
  text: string,
  { after, isDone }: { after: string; isDone: boolean },
): string {
  if (!isDone || !isDeepStrictEqual(target.others(text), target.others(after)))
    throw new BrokenSettings("its servers are written in a way that this program cannot edit");
  return after;
}

function plan(place: UserFile, edit: (text: string) => string | undefined): Promise<SettingsPlan> {
  const { shown } = place;
  return guarded("read", shown, () => {
    const before = readSettings(place);
    if (!before.exact) throw refusal(shown, new BrokenSettings("not valid UTF-8"));
    const text = withoutMark(before.text);
    try {
      const after = edit(text);
      if (after === text) return { before, shown, after: before.bytes };
      if (after === undefined) return { before, shown, after };
      const mark = before.text.slice(0, before.text.length - text.length);
      return { before, shown, after: Buffer.from(mark + after) };
    } catch (error) {
      throw error instanceof BrokenSettings ? refusal(shown, error) : error;
    }
  });
}

/** Whether the plan changes anything. */
export function hasChanges({ before, after }: SettingsPlan): boolean {
  return after === undefined ? before.bytes !== undefined : before.bytes?.equals(after) !== true;
}

/** Writes it; returns the path of the backup, if there was a file. */
export function applyPlan({ before, after, shown }: SettingsPlan): Promise<string | undefined> {
  const changed = () => changedMeanwhile(shown, "Run this again.");
  return guarded("write", shown, () => saveSettings(before, { after, changed }));
}

function refusal(shown: string, { message, line }: BrokenSettings): UserError {
  const place = line === undefined ? shown : `${shown}, line ${line}`;
  return new UserError("CONFLICT", `${place}: ${message}. Nothing was written: fix it, then run this again.`);
}
