import { leadingDate } from "../lib/clock.ts";
import { type Fields, listOf, stringOf } from "../lib/fields.ts";
import { slugify } from "../notes/names.ts";
import { type FieldValue, type NewFields, readField } from "../notes/task/fields.ts";
import { normalizeStatus } from "../notes/task/status.ts";
import { isTaskStatus, type TaskStatus } from "../notes/task/statuses.ts";

/** The programs whose tasks can be brought in. */
export const IMPORT_KINDS = ["backlog", "beads", "taskmaster"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A task of another program, in the terms of this one. */
export interface ImportedTask extends NewFields {
  /** Its name there: `BACK-257`, `bd-7h7`, `12`. */
  id: string;
  title: string;
  objective: string;
  status: TaskStatus;
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
export function priorityOf(text: string): FieldValue<"priority"> | undefined {
  return /^\s*(?:critical|urgent)\s*$/i.test(text) ? "high" : readField("priority", { priority: text });
}

/** `- a`, `* [x] b`, `1. c`: the items of a list; undefined for a text that holds anything else. */
export function listIn(text: string): string[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const items = lines.map((line) => /^ {0,1}(?:[-*+]|\d{1,4}[.)])\s+(.*)$/.exec(line)?.[1]);
  return lines.length > 0 && items.every((item) => item !== undefined) ? (items as string[]) : undefined;
}

/** `2025-09-06` from a date or time; undefined for anything else. */
export function dayOf(value: unknown): string | undefined {
  return leadingDate(stringOf(value).trim()) ?? undefined;
}

/** Sections with a text. */
export function withText(sections: Record<string, string>): ImportedTask["sections"] {
  return Object.entries(sections)
    .map(([title, text]) => ({ title, text: text.trim() }))
    .filter(({ text }) => text !== "");
}

/** Reads the fields of a record of another program; `ignored` are those that mean nothing here. */
export function recordReader(record: Fields, ignored: string) {
  const read = new Set(ignored.split(" "));
  const value = (name: string) => {
    read.add(name);
    return record[name];
  };
  return {
    value,
    text: (name: string) => stringOf(value(name)),
    list: (name: string) => listOf(value(name)),
    day: (name: string) => dayOf(value(name)),
    /** The names of the fields with a value that were not read: they have no place here. */
    lost: () => Object.keys(record).filter((name) => !read.has(name) && !isEmpty(record[name])),
  };
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}
