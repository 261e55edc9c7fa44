import { localDate } from "../core/lib/clock.ts";
import { language } from "./language.ts";

const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
export const TIME_OF_DAY = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const TIME = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** The day as people of the page's language write it, without the year if it is this one. */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00`);
  if (Number.isNaN(date.getTime())) return day;
  return (day.slice(0, 4) === localDate(new Date()).slice(0, 4) ? DAY : DAY_AND_YEAR).format(date);
}

/** A time as people of the page's language write it. */
export function formatTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : TIME.format(date);
}

/** Whether a time is on a day (YYYY-MM-DD), in this machine's time zone. */
export function isOn(time: string, day: string): boolean {
  return localDate(new Date(time)) === day;
}
