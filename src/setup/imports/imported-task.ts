import { leadingDate } from "../../core/lib/clock.ts";
import { groupBy } from "../../core/lib/collections.ts";
import { type Fields, stringOf } from "../../core/lib/fields.ts";
import { eachMarkdownLine } from "../../core/markdown/blocks.ts";
import { boxAt } from "../../core/markdown/box.ts";
import { codeSpan } from "../../core/markdown/embed.ts";
import { slugify } from "../../core/notes/names.ts";
import { type FieldValue, type NewFields, readField } from "../../core/notes/task/fields.ts";
import { normalizeStatus } from "../../core/notes/task/status-word.ts";
import { isTaskStatus, type TaskStatus } from "../../core/notes/task/statuses.ts";

/** The programs whose tasks can be brought in. */
export const IMPORT_KINDS = ["backlog", "beads", "taskmaster"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A task of another program, in the terms of this one. */
export interface ImportedTask extends NewFields {
  /** Its name there: `BACK-257`, `bd-7h7`, `12`; several tasks may have the same. */
  id: string;
  title: string;
  objective: string;
  status: TaskStatus;
  isArchived?: boolean;
  steps: string[];
  criteria: string[];
  files: string[];
  /** Its name there. */
  parent?: string | undefined;
  /** Names there of tasks that must be done first. */
  dependencies: string[];
  /** Other tasks there that this one is about, with how. */
  related: { id: string; how: string }[];
  /** Further texts, each under a heading. */
  sections: ImportedSection[];
  /** As far as it says them. */
  dates: { created?: string; updated?: string; closed?: string };
}

/** How a task is about its parent, if that is not a field. */
export const PART_OF = "Part of";

export interface ImportedSection {
  title: string;
  text: string;
}

/** A document of another program, which stays as it is. */
export interface ImportedDocument {
  /** Its name there, or its path. */
  id: string;
  /** In the folder of that program. */
  path: string;
  text: string;
  /** What was decided and when, if it is a decision that holds. */
  decision?: string;
}

/** What another program has. */
export interface Imported {
  tasks: ImportedTask[];
  documents: ImportedDocument[];
  leftOut: LeftOut[];
}

/** Something that stays out. */
export interface LeftOut {
  /** In the folder of that program. */
  path: string;
  /** Where in the file: `line 7`. */
  place?: string;
  reason: string;
}

const WORDS = new Map<string, TaskStatus>([
  ["deferred", "pending"],
  ["pinned", "pending"],
  ["hooked", "in-progress"],
  ["draft", "pending"],
]);

/** A status of another program, where `last` is the last one that a task gets; one that means more than ours is kept as a tag. */
export function statusOf(text: string, last?: string): { status: TaskStatus; tags: string[] } {
  const known = normalizeStatus(text.replaceAll("_", " "));
  if (isTaskStatus(known)) return { status: known, tags: [] };
  const key = (name: string) => name.trim().toLowerCase();
  const isLast = last !== undefined && key(text) === key(last);
  const status = WORDS.get(key(text)) ?? (isLast ? "done" : "pending");
  return { status, tags: text.trim() === "" ? [] : [slugify(text)] };
}

/** `high` from `High`, `critical` and `P1`; undefined for an unknown one. */
export function priorityOf(value: unknown): FieldValue<"priority"> | undefined {
  return readField("priority", { priority: value });
}

/** What a text lists, each item on one line, and the text under a heading if it holds anything else. */
export function listed(title: string, text: string): { items: string[]; sections: ImportedSection[] } {
  const items: string[] = [];
  let isWhole = true;
  for (const { kind, beginsItem, depth, at, end } of eachMarkdownLine(text)) {
    const content = text.slice(at, end).trim();
    const isParagraph = kind === "paragraph" || kind === "continuation";
    if (kind === "paragraph" && beginsItem && depth === 1) items.push(content);
    else if (kind === "continuation" && depth < 2 && items.length > 0)
      items.push(`${items.pop()} ${content}`);
    else if (isParagraph || content !== "") isWhole = false;
  }
  if (isWhole) return { items, sections: [] };
  return { items: items.filter((item) => boxAt(item) !== null), sections: withText({ [title]: text }) };
}

/** `2025-09-06` from a date or time; undefined for anything else. */
export function dayOf(value: unknown): string | undefined {
  return leadingDate(stringOf(value).trim()) ?? undefined;
}

/** Sections with a text. */
export function withText(sections: Record<string, string>): ImportedSection[] {
  return Object.entries(sections)
    .map(([title, text]) => ({ title, text: text.trim() }))
    .filter(({ text }) => text !== "");
}

/** A text, a number, or a list of them on lines of their own; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (isScalar(value)) return String(value);
  return Array.isArray(value) && value.every(isScalar)
    ? value.map((one) => `- ${one}`).join("\n")
    : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Reads the fields of a record of another program; `ignored` are those that mean nothing here. */
export function recordReader(record: Fields, ignored: string) {
  const read = new Set(ignored.split(" "));
  /** A field that is not understood is not read. */
  function value<T>(name: string, understand: (value: unknown) => T | undefined): T | undefined {
    const understood = understand(record[name]);
    if (understood !== undefined) read.add(name);
    return understood;
  }
  const list = (name: string) =>
    value(name, (found) =>
      isScalar(found) ? [found].filter((one) => one !== "") : Array.isArray(found) ? found : undefined,
    ) ?? [];
  return {
    value,
    text: (name: string) => value(name, textOf) ?? "",
    list,
    texts: (name: string) =>
      value(name, (found) =>
        textOf(found) === undefined
          ? undefined
          : list(name)
              .map((one) => String(one).trim())
              .filter(Boolean),
      ) ?? [],
    day: (name: string) => value(name, dayOf),
    /** The fields that were not read, under a heading. */
    rest: (title = "Other fields"): ImportedSection[] => {
      const names = Object.keys(record).filter((name) => !read.has(name) && !isEmpty(record[name]));
      return withText({ [title]: names.map((name) => fieldLine(name, record[name])).join("\n") });
    },
  };
}

export function fieldLine(name: string, value: unknown): string {
  const text = textOf(value) ?? codeSpan(JSON.stringify(value));
  return text.includes("\n") ? itemOf(name, text) : `- ${name}: ${text}`;
}

/** A list item with a text of several lines. */
export function itemOf(label: string, text: string): string {
  return `- ${label}:\n${text.replace(/^(?=.)/gm, "  ")}`;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}

const MAX_PLACES = 20;

/** What stays out, in words: files and lines with the same reason together. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return [...groupBy(leftOut, ({ path, reason }) => `${path}\n${reason}`).values()].map((all) => {
    const [{ path, reason } = { path: "", reason: "" }] = all;
    const places = all.flatMap(({ place }) => place ?? []);
    const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : "";
    const where = places.length > 0 ? ` (${places.slice(0, MAX_PLACES).join(", ")}${more})` : "";
    return `${path}${where}: ${reason}`;
  });
}
