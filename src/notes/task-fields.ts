import { isDateOrDateTime, leadingDate } from "../lib/clock.ts";
import { oneLine } from "../markdown/embed.ts";
import { shorten } from "./words.ts";

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What the frontmatter of a task says besides the fields of every document; other values are ignored. */
export interface TaskFields {
  priority?: Priority | undefined;
  /** `YYYY-MM-DD` */
  due?: string | undefined;
  /** An ISO date-time, or a date, as written. */
  claimed_until?: string | undefined;
}

/** How `vibe-mcp tasks` may sort. */
export const TASK_ORDERS = ["due", "priority", "number", "updated"] as const;
export type TaskOrder = (typeof TASK_ORDERS)[number];

export function isOverdue({ due }: TaskFields, today: string): boolean {
  return due !== undefined && due < today;
}

/** `due 2026-11-30` or `overdue since 2026-11-20`; `""` without a due date. */
export function dueText({ due }: TaskFields, today: string): string {
  if (due === undefined) return "";
  return isOverdue({ due }, today) ? `overdue since ${due}` : `due ${due}`;
}

export function readTaskFields(data: Record<string, unknown>): TaskFields {
  const [priority, due, until] = ["priority", "due", "claimed_until"].map((key) => {
    const value = data[key];
    return typeof value === "string" ? value.trim() : "";
  }) as [string, string, string];
  const known = PRIORITIES.find((one) => one === priority.toLowerCase());
  const day = isDateOrDateTime(due) ? leadingDate(due) : null;
  return {
    ...(known !== undefined && { priority: known }),
    ...(day !== null && { due: day }),
    ...(!Number.isNaN(claimEnd(until)) && { claimed_until: until }),
  };
}

/** Milliseconds since 1970; NaN for other text. A date lasts until its end; a time without a zone is local. */
function claimEnd(text: string): number {
  if (!isDateOrDateTime(text)) return Number.NaN;
  const time = text.length === 10 ? `${text}T23:59:59` : text.toUpperCase().replace(/([+-]\d{2})$/, "$1:00");
  return Date.parse(time);
}

export interface ClaimedTask extends Pick<TaskFields, "claimed_until"> {
  status: string | null;
  owner: string | null;
}

/** Who works on a task, and until when; null for an owner in progress without an end. */
export interface Claim {
  owner: string;
  until: string | null;
}

/** The claim that holds now; null if anyone may take the task. */
export function claimOf({ status, owner, claimed_until: until }: ClaimedTask, now: number): Claim | null {
  if (owner === null || status === "done") return null;
  if (until === undefined) return status === "in-progress" ? { owner, until: null } : null;
  return claimEnd(until) > now ? { owner, until } : null;
}

/** Pending and unclaimed, or in progress under a claim that ran out. */
export function isFree(task: ClaimedTask, now: number): boolean {
  if (task.status === "pending") return claimOf(task, now) === null;
  const { status, claimed_until: until } = task;
  return status === "in-progress" && until !== undefined && claimEnd(until) <= now;
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

/** A name as it reads back. */
export function ownerName(text: string): string {
  return shorten(oneLine(text), MAX_OWNER_CHARS);
}

/** Whether a name is the owner of a task, or one of several. */
export function isSameOwner(name: string, owner: string | null): boolean {
  if (owner === null) return false;
  const key = ownerKey(name);
  return key === ownerKey(owner) || owner.split(OWNER_SEPARATOR).some((one) => ownerKey(one) === key);
}

function ownerKey(name: string): string {
  return ownerName(name).normalize("NFC").toLowerCase();
}
