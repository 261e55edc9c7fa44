import { localDate } from "../lib/clock.ts";
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

function unit(name: "hour" | "minute", count: number): string {
  if (count === 0) return "";
  return new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "narrow" }).format(count);
}
