import { localDate } from "../core/lib/clock.ts";
import { language } from "./language.ts";
import { createStore, useStore } from "./store.ts";

/** The time, in milliseconds since 1970. */
export const clock = createStore(Date.now());

const STEP_MS = 15_000;

export function startClock(): void {
  setInterval(() => clock.update(() => Date.now()), STEP_MS);
}

/** YYYY-MM-DD, in this machine's time zone; a view that uses it renders again when another day begins. */
export function useToday(): string {
  return useStore(clock, (now) => localDate(new Date(now)));
}

/** How long until a time, as `2h 5m`; undefined once it is over. */
export function timeLeft(end: string, now: number): string | undefined {
  const minutes = Math.ceil((Date.parse(end) - now) / 60_000);
  if (!(minutes > 0)) return undefined;
  const parts = [unit("hour", Math.floor(minutes / 60)), unit("minute", minutes % 60)];
  return parts.filter((part) => part !== "").join(" ");
}

const AGO = new Intl.RelativeTimeFormat(language, { style: "narrow", numeric: "auto" });

/** How long ago a time is, as `2 min ago`. */
export function ago(time: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(time)) / 60_000));
  if (minutes < 1) return AGO.format(0, "second");
  if (minutes < 60) return AGO.format(-minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? AGO.format(-hours, "hour") : AGO.format(-Math.floor(hours / 24), "day");
}

function unit(name: "hour" | "minute", count: number): string {
  if (count === 0) return "";
  const unitDisplay = language === "ja" ? "short" : "narrow";
  return new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay }).format(count);
}
