import { counted } from "../../core/lib/text.ts";
import type { LastRound, SyncSettings } from "./settings.ts";

/** The state of a sync in words, without a final period. */
export function syncState({ last, synced, kept }: SyncSettings, now: Date): string {
  const decide = kept.length === 0 ? "" : `${counted(kept.length, "note")} changed in two places`;
  const well = synced === undefined ? "not synced yet" : `synced ${ago(synced, now, "just now")}`;
  const how = last?.problem === undefined ? [well] : failure(last, synced, now);
  return [...how, decide, last?.warning].filter(Boolean).join("; ");
}

/** What is in the way, first of all: a round that worked a moment ago says nothing about the one that failed. */
function failure({ unsent, problem }: LastRound, synced: string | undefined, now: Date): string[] {
  const waiting = unsent === 0 ? "not synced" : `${counted(unsent, "change")} not sent`;
  const before = synced === undefined ? "" : `synced last ${ago(synced, now, "less than a minute ago")}`;
  return [`${waiting}: ${problem}`, before];
}

/** Whether the last round worked, nothing will be in the way soon, and no decision is open. */
export function isWell({ last, kept }: SyncSettings): boolean {
  return last?.problem === undefined && last?.warning === undefined && kept.length === 0;
}

/** `2 minutes ago` */
function ago(time: string, now: Date, recently: string): string {
  const minutes = Math.floor(Math.max(0, now.getTime() - Date.parse(time)) / 60_000);
  if (minutes < 1) return recently;
  if (minutes < 120) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${counted(hours, "hour")} ago` : `${counted(Math.floor(hours / 24), "day")} ago`;
}
