import { isDateOrDateTime, leadingDate } from "../../lib/clock.ts";
import { oneLine } from "../../markdown/embed.ts";
import { shorten } from "../short-text.ts";
import { claimEnd } from "./claim.ts";

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What the frontmatter of a task says besides the fields of every document; other values are ignored. */
export interface TaskFields {
  priority?: Priority | undefined;
  /** `YYYY-MM-DD` */
  due?: string | undefined;
  /** An ISO date-time, or a date, as written. */
  claimed_until?: string | undefined;
  /** The status before the claim. */
  claimed_from?: string | undefined;
}

const MAX_STATUS_CHARS = 100;

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
  const [priority, due, until, from] = ["priority", "due", "claimed_until", "claimed_from"].map((key) => {
    const value = data[key];
    return typeof value === "string" ? value.trim() : "";
  }) as [string, string, string, string];
  const known = PRIORITIES.find((one) => one === priority.toLowerCase());
  const day = isDateOrDateTime(due) ? leadingDate(due) : null;
  return {
    ...(known !== undefined && { priority: known }),
    ...(day !== null && { due: day }),
    ...(!Number.isNaN(claimEnd(until)) && { claimed_until: until }),
    ...(from !== "" && { claimed_from: shorten(oneLine(from), MAX_STATUS_CHARS) }),
  };
}
