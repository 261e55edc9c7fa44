/** Where the time comes from, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds since this process began, unaffected by changes of the clock. */
export const elapsed = (): number => process.uptime() * 1000;

const two = (value: number) => String(value).padStart(2, "0");

/** `YYYY-MM-DD` in local time, as a person at this machine would date a note. */
export function localDate(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `HH:MM:SS` in local time. */
export function localTime(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** `YYYY-MM-DDTHH:MM:SS` in local time. */
export function localDateTime(date: Date): string {
  return `${localDate(date)}T${localTime(date)}`;
}
