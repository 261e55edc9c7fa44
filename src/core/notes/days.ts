import { leadingDate } from "../lib/clock.ts";
import { once } from "../lib/collections.ts";
import { compareText, fold } from "../lib/text.ts";
import { plainLine } from "./plain-line.ts";

const YEAR_FIRST = /(?<!\d)(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const YEAR_LAST = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/;
const DAY_OF_MONTH = /(?<!\d)(\d{1,2})(?!\d)/;
const YEAR = /(?<!\d)(\d{4})(?!\d)/;
const MONTH = /\p{L}{3,}/gu;

/** The days that a text may mean, as `YYYY-MM-DD`: two for `01/12/2026`, none for `soon`. */
export function daysIn(text: string): string[] {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? COMPACT.exec(text.trim()) ?? [];
  if (year !== undefined) return daysOf([[year, month, day]]);
  const [, first, second, last] = YEAR_LAST.exec(text) ?? [];
  if (last !== undefined)
    return daysOf([
      [last, second, first],
      [last, first, second],
    ]);
  const [named] = [...text.matchAll(MONTH)].flatMap(([word]) => monthOf(word));
  const inYear = YEAR.exec(text)?.[1];
  return named === undefined ? [] : daysOf([[inYear, named, DAY_OF_MONTH.exec(text)?.[1]]]);
}

const MONTH_OF_YEAR = /(\p{L}{3,})\.?,?\s+(?:de\s+)?(\d{4})(?![\d年])|(?<!\d)(\d{4})年\s*(\d{1,2})月/u;

/** The month of a year that a text names, as `YYYY-MM`: `February 2017`, `2025年7月`; null if it names none. */
export function monthIn(text: string): string | null {
  const [, name = "", lastYear, firstYear, number] = MONTH_OF_YEAR.exec(text) ?? [];
  const [month] = number === undefined ? monthOf(name) : [number];
  return month === undefined ? null : (daysOf([[lastYear ?? firstYear, month, "1"]])[0]?.slice(0, 7) ?? null);
}

const NTH = String.raw`(\d{1,2})(?:st|nd|rd|th|er)?`;
/** Looks ahead only: in `the 3rd of June`, `3rd` is also behind a word. */
const DAY_OF_YEAR = once(
  () =>
    new RegExp(
      String.raw`(?=(?<!\d)${NTH}\.?\s+(?:of\s+|de\s+)?(\p{L}{3,})|(?<!\p{L})(\p{L}{3,})\.?\s+${NTH}(?![\d:%])|(?<!\d)(\d{1,2})月\s*(\d{1,2})日)`,
      "gu",
    ),
);

/** The day that a text names without a year, in each of the years: `4 de mayo`, `May 4th`, `7月4日`. */
export function dayInYears(text: string, years: readonly number[]): string[] {
  for (const [, day, month = "", name = month, nth = day, number, last] of text.matchAll(DAY_OF_YEAR())) {
    const [found] = number === undefined ? monthOf(name) : [number];
    const days = daysOf(years.map((year) => [String(year), found, last ?? nth]));
    if (found !== undefined && days.length > 0) return days;
  }
  return [];
}

const MAX_LINE_CHARS = 2_000;
/** How far into a line its date begins at most: behind `Date:` or `Decidido el`. */
const MAX_BEFORE_DAY = 12;

/** The day at the beginning of a line or, in parentheses, at its end; null if there is none. */
export function dayOfLine(line: string): string | null {
  const plain = plainLine(line.slice(0, MAX_LINE_CHARS));
  const digit = plain.search(/\d/);
  const start = digit === -1 || digit > MAX_BEFORE_DAY ? "" : plain.split(/\s+/, 5).join(" ").slice(0, 40);
  const [, end = ""] = /[([（]([^()[\]（）]{8,24})[)\]）][.。]?$/.exec(plain) ?? [];
  return daysIn(start)[0] ?? daysIn(end)[0] ?? null;
}

/** The time that a note of a session begins with: `**14:30:15**`, `## 9:30 Keys`. */
export function timeOfLine(line: string): string | null {
  const [, time = null] = /^(?:#{1,6}[ \t]+|\*\*)\*{0,2}(\d{1,2}:\d{2}(?::\d{2})?)/.exec(line) ?? [];
  return time?.padStart(time.length + (time.indexOf(":") % 2), "0") ?? null;
}

/** Whether keys fall more often than they rise: the newest stands first. */
export function fall(keys: readonly (string | null)[]): boolean {
  const known = keys.filter((key) => key !== null);
  return known.slice(1).reduce((sum, key, at) => sum + compareText(known[at] ?? "", key), 0) > 0;
}

function daysOf(parts: readonly (readonly (string | undefined)[])[]): string[] {
  const days = parts.map((part) => part.map((one) => (one ?? "").padStart(2, "0")).join("-"));
  return [...new Set(days)].filter((day) => leadingDate(day) === day);
}

const MONTHS = once(() =>
  ["en", "es", "de", "fr", "pt"].flatMap((language) => {
    const { format } = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, at) => [format(Date.UTC(2000, at, 15)), String(at + 1)] as const);
  }),
);

/** By its name, or by the first three letters or more in English, Spanish and German: elsewhere they are words (`out`, `set`). */
function monthOf(word: string): string[] {
  const key = fold(word);
  if (key.length < 3) return [];
  const isMeant = (name: string, at: number) => name === key || (at < SHORTENED && name.startsWith(key));
  return MONTHS().flatMap(([name, month], at) => (isMeant(fold(name), at) ? [month] : []));
}

const SHORTENED = 3 * 12;
