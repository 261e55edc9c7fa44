import { dayInYears, daysIn } from "../core/notes/days.ts";
import { isClosed } from "../core/notes/task/statuses.ts";
import type { Task } from "./model.ts";

export const WEEK = 7;

/** Due before `today` (YYYY-MM-DD), or within a week, and open. */
export function isDueSoon({ status, due }: Pick<Task, "status" | "due">, today: string): boolean {
  return !isClosed(status) && due !== undefined && due <= addDays(today, WEEK);
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** How many days `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000);
}

/** The days from today to the same one of next week, as the language calls them. */
export function namedDays(today: string, language: string): { day: string; names: string[] }[] {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: WEEK + 1 }, (_, at) => {
    const day = addDays(today, at);
    const named = at < 2 ? [relative.format(at, "day")] : at === WEEK ? [relative.format(1, "week")] : [];
    // A weekday that someone names is still to come.
    const names = at === 0 ? named : [...named, weekday.format(Date.parse(day))];
    return { day, names: names.map((name) => name.replace(/^./u, (first) => first.toUpperCase())) };
  });
}

/** The day that a text means, with figures in the order of the language; without a year, the next such day. */
export function typedDay(text: string, today: string, language: string): string | undefined {
  const year = Number(today.slice(0, 4));
  const years = [year, year + 1];
  const isDayFirst = new Intl.DateTimeFormat(language).formatToParts(0)[0]?.type === "day";
  const texts = /^\d{1,2}[-/.]\d{1,2}$/.test(text) ? years.map((one) => `${text}/${one}`) : [text];
  const written = texts.flatMap((one) => daysIn(one).at(isDayFirst ? 0 : -1) ?? []);
  const isDated = texts.length === 1 && written.length > 0;
  return isDated ? written[0] : [...written, ...dayInYears(text, years)].find((day) => day >= today);
}
