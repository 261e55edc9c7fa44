import { isDateOrDateTime } from "../../lib/clock.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { oneLine } from "../../markdown/embed.ts";
import { endsClaim, isClosed } from "./statuses.ts";

/** Milliseconds since 1970; NaN for other text. A date lasts until its end; a time without a zone is local. */
export function claimEnd(text: string): number {
  if (!isDateOrDateTime(text)) return Number.NaN;
  const time = text.length === 10 ? `${text}T23:59:59` : text.toUpperCase().replace(/([+-]\d{2})$/, "$1:00");
  return Date.parse(time);
}

/** A tool gives no claim more, and neither does the writing of a file. */
export const MAX_CLAIM_MINUTES = 7 * 24 * 60;

/** What says whether an agent works on a task. */
export interface ClaimedTask {
  status: string | null;
  owner: string | null;
  claimed_until?: string | undefined;
  /** The status before the claim, to which its end leads back; pending if it is left out. */
  claimed_from?: string | undefined;
  /** `YYYY-MM-DD`: when a person opened it again. */
  returned?: string | undefined;
  /** When its file changed, in milliseconds since 1970. */
  mtime?: number | undefined;
}

/** Who works on a task, and until when. */
export interface Claim {
  owner: string;
  until: string;
}

/** The end of its claim as written, but at most seven days after its file changed. */
export function endOf({ claimed_until: until, mtime = Number.POSITIVE_INFINITY }: ClaimedTask) {
  const last = mtime + MAX_CLAIM_MINUTES * 60_000;
  return until !== undefined && claimEnd(until) > last ? claimUntil(new Date(last), 0) : until;
}

/** The claim that holds now; null if anyone may take the task: an owner alone is an assignment. */
export function claimOf(task: ClaimedTask, now: number): Claim | null {
  const { owner, status } = task;
  const until = endOf(task);
  if (owner === null || until === undefined || isClosed(status)) return null;
  return claimEnd(until) > now ? { owner, until } : null;
}

/** Whether a task was handed in and is open again. */
export function isBack({ status, returned }: ClaimedTask): boolean {
  return returned !== undefined && !endsClaim(status);
}

/** Whether someone was named as the owner, without a claim of their own. */
export function isAssigned({ owner, claimed_until: until }: ClaimedTask): boolean {
  return owner !== null && until === undefined;
}

/** The end of the claim that holds now, as `2026-11-23T14:05Z`; null without one. */
export function heldUntil(task: ClaimedTask, now: number): string | null {
  const end = claimEnd(claimOf(task, now)?.until ?? "");
  return Number.isNaN(end) ? null : claimUntil(new Date(end), 0);
}

/** Pending and unclaimed, or in progress under a claim on a pending task that ran out. */
export function isFree(task: ClaimedTask, now: number): boolean {
  if (task.status === "pending") return claimOf(task, now) === null;
  const { status, claimed_from: from } = task;
  const until = endOf(task);
  return status === "in-progress" && until !== undefined && claimEnd(until) <= now && from === undefined;
}

/** Whether work on a task can start at `now`: it is free, and all that it depends on is closed. */
export function isReady(task: ClaimedTask & { open_dependencies: readonly string[] }, now: number): boolean {
  return isFree(task, now) && task.open_dependencies.length === 0;
}

/** `2026-11-23T14:05Z`: the full minute in which a claim ends. */
export function claimUntil(now: Date, minutes: number): string {
  const end = Math.ceil(now.getTime() / 60_000) + minutes;
  return new Date(end * 60_000).toISOString().replace(":00.000Z", "Z");
}

/** The later of two ends of a claim. */
export function laterEnd(a: string, b: string | undefined): string {
  return b !== undefined && claimEnd(b) > claimEnd(a) ? b : a;
}

const MAX_OWNER_CHARS = 100;
export const OWNER_SEPARATOR = ", ";

/** A name as it reads back. Throws INVALID_ARGUMENT for one that is too long: a part of it could be another's name. */
export function ownerName(text: string, argument = "owner"): string {
  const name = oneLine(text);
  const { length } = name;
  if (length <= MAX_OWNER_CHARS) return name;
  const message = `'${argument}' has ${length} characters, and may have ${MAX_OWNER_CHARS}. Give a shorter name.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument } });
}

/** The name of one agent. Throws INVALID_ARGUMENT as ownerName does, and for one that reads as several. */
export function agentName(text: string): string {
  const name = ownerName(text, "agent");
  if (!name.includes(OWNER_SEPARATOR)) return name;
  const message = `'agent' is ${quoteName(name)}, which reads as several names. Give one without a comma.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "agent" } });
}

/** Whether a name is the owner of a task, or one of several. */
export function isSameOwner(name: string, owner: string | null): boolean {
  if (owner === null) return false;
  const key = ownerKey(name);
  return key === ownerKey(owner) || owner.split(OWNER_SEPARATOR).some((one) => ownerKey(one) === key);
}

function ownerKey(name: string): string {
  return oneLine(name).normalize("NFC").toLowerCase();
}
