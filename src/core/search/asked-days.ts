import { localDate } from "../lib/clock.ts";
import { fold } from "../lib/text.ts";
import { dayInYears, daysIn, monthIn } from "../notes/days.ts";
import { listOf } from "../notes/words/languages.ts";

/** Today, yesterday, last week, and the days from Sunday. Not asked of `Intl`, which takes 25 ms at its first use. */
const NAMES = [
  "today, yesterday, last week, sunday, monday, tuesday, wednesday, thursday, friday, saturday",
  "hoy, ayer, semana pasada, domingo, lunes, martes, miercoles, jueves, viernes, sabado",
  "今日, 昨日, 先週, 日曜, 月曜, 火曜, 水曜, 木曜, 金曜, 土曜",
  "今天, 昨天, 上周, 星期日, 星期一, 星期二, 星期三, 星期四, 星期五, 星期六",
  "heute, gestern, letzte woche, sonntag, montag, dienstag, mittwoch, donnerstag, freitag, samstag",
  "aujourd'hui, d'hier, semaine derniere, dimanche, lundi, mardi, mercredi, jeudi, vendredi, samedi",
  "hoje, ontem, semana passada, domingo, segunda-feira, terca-feira, quarta-feira, quinta-feira, sexta-feira, sabado",
];
const SINCE = /\b(?:since|desde|seit|depuis)\s+(?:(?:el|a|le)\s+)?$/;

/**
 * The days or months that a question names in words, as `YYYY-MM-DD` or `YYYY-MM`: written out (`11 February 2025`, `2025年7月4日`;
 * without a year, of this one or the last), or counted from today (`yesterday`, `la semana pasada`, `since Monday`).
 */
export function askedDays(question: string, now: Date): string[] {
  if (!/\d{4}/.test(question)) {
    const year = now.getFullYear();
    const named = dayInYears(question, [year, year - 1]);
    return named.length > 0 ? named : countedDays(fold(question), now);
  }
  const written = daysIn(question);
  const month = written.length > 0 ? null : monthIn(question);
  return month === null ? written : [month];
}

function countedDays(text: string, now: Date): string[] {
  const today = now.getDay();
  for (const [day, yesterday, week, ...weekdays] of NAMES.map(listOf)) {
    if (isSaid(text, day)) return days(now, 0, 0);
    if (isSaid(text, yesterday)) return days(now, 1, 1);
    const sunday = today === 0 ? 7 : today;
    if (isSaid(text, week)) return days(now, sunday + 6, sunday);
    const named = weekdays.findIndex((day) => isSaid(text, day));
    if (named === -1) continue;
    const ago = ((today - named + 6) % 7) + 1;
    return days(now, ago, SINCE.test(text.slice(0, text.indexOf(weekdays[named] ?? ""))) ? 0 : ago);
  }
  return [];
}

function isSaid(text: string, phrase = ""): boolean {
  const at = text.indexOf(phrase);
  return at !== -1 && !/[a-z]/.test(`${text[at - 1] ?? ""}${text[at + phrase.length] ?? ""}`);
}

/** From so many days ago to so many. */
function days(now: Date, from: number, to: number): string[] {
  const dayBefore = (ago: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, 12);
  return Array.from({ length: from - to + 1 }, (_, at) => localDate(dayBefore(from - at)));
}
