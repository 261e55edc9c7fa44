import { counted } from "../lib/text.ts";
import type { SyncSettings } from "./settings.ts";

/** The state of a sync in words, without a final period. */
export function syncState({ last, synced, kept }: SyncSettings, now: Date): string {
  const when = synced === undefined ? "not synced yet" : `synced ${ago(synced, now)}`;
  const unsent = last?.unsent ? `${counted(last.unsent, "change")} not sent` : "";
  const problem = last?.problem === undefined ? "" : [unsent, last.problem].filter(Boolean).join(": ");
  const decide = kept.length === 0 ? "" : `${counted(kept.length, "note")} changed in two places`;
  return [when, problem, decide].filter(Boolean).join("; ");
}

/** Whether the last round worked and nobody has to decide anything. */
export function isWell({ last, kept }: SyncSettings): boolean {
  return last?.problem === undefined && kept.length === 0;
}

/** `2 minutes ago` */
function ago(time: string, now: Date): string {
  const minutes = Math.floor(Math.max(0, now.getTime() - Date.parse(time)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 120) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${counted(hours, "hour")} ago` : `${counted(Math.floor(hours / 24), "day")} ago`;
}
