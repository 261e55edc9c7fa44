import { UsageError } from "../core/config/options.ts";
import { leadingDate, localDate } from "../core/lib/clock.ts";
import { quoteName } from "../core/lib/escape.ts";

/** The date `30d` before now. Throws UsageError, which names the option. */
export function dayBefore(now: Date, age: string, option: string): string {
  const [, days] = /^(\d{1,5})(?:d|days?)?$/i.exec(age.trim()) ?? [];
  if (days === undefined)
    throw new UsageError(`${option} takes a number of days, e.g. 30d, not ${quoteName(age)}`);
  const date = new Date(now);
  date.setDate(date.getDate() - Number(days));
  return localDate(date);
}

const DAYS = new Map([
  ["today", "0"],
  ["tomorrow", "1"],
]);

/** A day that someone typed, such as `+3d`, as `YYYY-MM-DD`. Throws UsageError, with `others` as what may be typed too. */
export function dayFrom(now: Date, typed: string, others = ""): string {
  const days = DAYS.get(typed.toLowerCase()) ?? /^\+(\d{1,4})d?$/i.exec(typed)?.[1];
  if (days !== undefined)
    return localDate(new Date(now.getFullYear(), now.getMonth(), now.getDate() + Number(days)));
  if (leadingDate(typed) === typed) return typed;
  throw new UsageError(`${quoteName(typed)} is not a day. Use YYYY-MM-DD, today, tomorrow, +3d${others}`);
}
