import { isDeepStrictEqual } from "node:util";
import { guarded } from "../files/errors.ts";
import type { Place } from "../files/outside-place.ts";
import { backupsOf, readSettings, type SettingsFile, saveSettings } from "../files/settings.ts";
import { UserError } from "../lib/errors.ts";
import { withoutMark } from "../lib/text.ts";
import { BrokenSettings, type Json } from "./entry.ts";
import { others, type Target } from "./target.ts";

/** A change of a file that nobody has made yet. */
export interface Plan {
  before: SettingsFile;
  /** As a person knows the file. */
  shown: string;
  /** The new bytes; undefined when the file goes. Equal to the old ones when there is nothing to do. */
  after: Buffer | undefined;
}

/** What would put a value there. Throws CONFLICT for settings that are broken, with the place. */
export async function planWrite<T extends Json>(place: Place, target: Target<T>, wanted: T): Promise<Plan> {
  return plan(place, (text) => {
    const after = target.write(text, wanted);
    const isKept = after === text || isDeepStrictEqual(others(target, text), others(target, after));
    if (!isKept || target.read(after) === undefined || target.write(after, wanted) !== after)
      throw new BrokenSettings("its servers are written in a form that this program does not edit");
    return after;
  });
}

/** What would take it out: the very bytes from before it was put there, where a copy tells them. */
export async function planRemove<T extends Json>(place: Place, target: Target<T>): Promise<Plan> {
  return plan(place, (text, before) => {
    const current = target.read(text);
    if (current === undefined) return text;
    const original = backupsOf(before.file).find((backup) => {
      try {
        const old = withoutMark(backup.text);
        return backup.exact && target.read(old) === undefined && target.write(old, current) === text;
      } catch {
        return false; // A copy of something else.
      }
    });
    if (original?.bytes !== undefined) return original.bytes;
    if (target.write("", current) === before.text) return undefined;
    const after = target.remove(text);
    if (target.read(after) !== undefined || !isDeepStrictEqual(others(target, text), others(target, after)))
      throw new BrokenSettings("its servers are written in a form that this program does not edit");
    return after;
  });
}

type Edit = (text: string, before: SettingsFile) => string | Buffer | undefined;

function plan(place: Place, edit: Edit): Promise<Plan> {
  const { shown } = place;
  return guarded("read", shown, () => {
    const before = readSettings(place);
    if (!before.exact) throw refused(shown, new BrokenSettings("not valid UTF-8"));
    const text = withoutMark(before.text);
    try {
      const after = edit(text, before);
      if (after === text) return { before, shown, after: before.bytes };
      if (typeof after !== "string") return { before, shown, after };
      return {
        before,
        shown,
        after: Buffer.from(before.text.slice(0, before.text.length - text.length) + after),
      };
    } catch (error) {
      throw error instanceof BrokenSettings ? refused(shown, error) : error;
    }
  });
}

/** Whether there is something to do. */
export function changes({ before, after }: Plan): boolean {
  return after === undefined ? before.bytes !== undefined : before.bytes?.equals(after) !== true;
}

/** Does it; answers the copy of the old file. */
export function carryOut({ before, after, shown }: Plan): Promise<string | undefined> {
  const changed = () =>
    new UserError("CONFLICT", `${shown} was changed by another program at this moment. Run this again.`);
  return guarded("write", shown, () => saveSettings(before, { after, changed }));
}

function refused(shown: string, { message, line }: BrokenSettings): UserError {
  const place = line === undefined ? shown : `${shown}, line ${line}`;
  return new UserError("CONFLICT", `${place}: ${message}. Nothing was written: fix it, then run this again.`);
}
