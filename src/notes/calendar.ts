import { localDate } from "../lib/clock.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const TIME_OF_DAY = /^[Tt ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?( ?(Z|z|[+-]\d{2}(:?\d{2})?))?$/;

/** The `YYYY-MM-DD` that `text` starts with, when the calendar has that day. */
export function leadingDate(text: string): string | null {
  const [date, year, month, day] = DATE.exec(text) ?? [];
  if (date === undefined) return null;
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return time.toISOString().startsWith(date) ? date : null;
}

/** True for a real `YYYY-MM-DD`, alone or with an ISO time of day. */
export function isDateOrDateTime(text: string): boolean {
  const date = leadingDate(text);
  return date !== null && (text === date || TIME_OF_DAY.test(text.slice(date.length)));
}

/** The day a document counts as updated: frontmatter's `updated` before the file's modification time. */
export function updatedDate(document: { updated: string | null; mtime: number }): string {
  return document.updated?.slice(0, 10) ?? localDate(new Date(document.mtime));
}
