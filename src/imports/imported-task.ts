import { slugify } from "../notes/names.ts";
import { PRIORITIES, type Priority } from "../notes/task/fields.ts";
import { normalizeStatus } from "../notes/task/status.ts";
import { isTaskStatus, type TaskStatus } from "../notes/task/statuses.ts";

/** The programs whose tasks can be brought in. */
export const IMPORT_KINDS = ["backlog", "beads", "taskmaster"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A task of another program, in the terms of this one. */
export interface ImportedTask {
  /** Its name there: `BACK-257`, `bd-7h7`, `12`. */
  id: string;
  title: string;
  objective: string;
  status: TaskStatus;
  priority: Priority | undefined;
  /** `""` for none. */
  owner: string;
  /** `YYYY-MM-DD` */
  due: string | undefined;
  tags: string[];
  steps: string[];
  criteria: string[];
  files: string[];
  /** Names there of tasks that must be done first. */
  dependencies: string[];
  /** Other tasks there that this one is about, with how. */
  related: { id: string; how: string }[];
  /** Further texts, each under a heading. */
  sections: { title: string; text: string }[];
  /** As far as it says them. */
  dates: { created?: string; updated?: string; closed?: string };
  /** Names of fields that have no place here. */
  lost: string[];
}

export interface ImportedTasks {
  tasks: ImportedTask[];
  /** What was passed over, in words. */
  skipped: string[];
}

const WORDS = new Map<string, TaskStatus>([
  ["deferred", "pending"],
  ["pinned", "pending"],
  ["hooked", "in-progress"],
  ["draft", "pending"],
  ["cancelled", "done"],
  ["canceled", "done"],
  ["wontfix", "done"],
]);

/** A status of another program; one that means more than ours is kept as a tag. */
export function statusOf(text: string): { status: TaskStatus; tags: string[] } {
  const known = normalizeStatus(text.replaceAll("_", " "));
  if (isTaskStatus(known)) return { status: known, tags: [] };
  const status = WORDS.get(text.trim().toLowerCase()) ?? "pending";
  return { status, tags: text.trim() === "" ? [] : [slugify(text)] };
}

/** `high` from `High`, `critical` and `urgent`; undefined for an unknown one. */
export function priorityOf(text: string): Priority | undefined {
  const word = text.trim().toLowerCase();
  if (word === "critical" || word === "urgent") return "high";
  return PRIORITIES.find((one) => one === word);
}

/** `- a`, `* [x] b`, `1. c`: the items of a list; undefined for a text that holds anything else. */
export function listIn(text: string): string[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const items = lines.map((line) => /^ {0,1}(?:[-*+]|\d{1,4}[.)])\s+(.*)$/.exec(line)?.[1]);
  return lines.length > 0 && items.every((item) => item !== undefined) ? (items as string[]) : undefined;
}

/** `2025-09-06` from a date or time; undefined for anything else. */
export function dayOf(value: unknown): string | undefined {
  return typeof value === "string" ? /^\d{4}-\d{2}-\d{2}/.exec(value.trim())?.[0] : undefined;
}

/** Sections with a text. */
export function withText(sections: Record<string, string>): ImportedTask["sections"] {
  return Object.entries(sections)
    .map(([title, text]) => ({ title, text: text.trim() }))
    .filter(({ text }) => text !== "");
}

/** The names of fields with a value that are not among the known ones. */
export function lostFields(fields: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): string[] {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || value === "" || value === false || value === 0 || isBare(value);
  return Object.keys(fields).filter((name) => !known.has(name) && !isEmpty(fields[name]));
}

function isBare(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
