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
