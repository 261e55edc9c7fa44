import { UsageError } from "../config/options.ts";
import { localDate } from "../lib/clock.ts";
import { quoteName } from "../lib/escape.ts";

/** The date `30d` before now. Throws UsageError, which names the option. */
export function dayBefore(now: Date, age: string, option: string): string {
  const [, days] = /^(\d{1,5})(?:d|days?)?$/i.exec(age.trim()) ?? [];
  if (days === undefined)
    throw new UsageError(`${option} takes a number of days, e.g. 30d, not ${quoteName(age)}`);
  const date = new Date(now);
  date.setDate(date.getDate() - Number(days));
  return localDate(date);
}
