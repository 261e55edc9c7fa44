/** Where the time comes from, so that tests can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds since the process started, unaffected by changes of the clock. */
export const elapsed = (): number => performance.now();

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

/** `2026-11-24T18:05+14:00` in local time; `Z` for its zero offset. */
export function localMinute(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${localDateTime(date).slice(0, 16)}${minutes === 0 ? "Z" : offset}`;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const TIME_OF_DAY = /^[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?( ?(Z|z|[+-]\d{2}(:?\d{2})?))?$/;

/** The `YYYY-MM-DD` that `text` starts with, if the calendar has that day. */
export function leadingDate(text: string): string | null {
  const [date, year, month, day] = DATE.exec(text) ?? [];
  if (date === undefined) return null;
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return time.toISOString().startsWith(date) ? date : null;
}

/** True for a real `YYYY-MM-DD`, with or without an ISO time of day. */
export function isDateOrDateTime(text: string): boolean {
  const date = leadingDate(text);
  return date !== null && (text === date || TIME_OF_DAY.test(text.slice(date.length)));
}
