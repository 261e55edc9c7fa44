import { escapeLine } from "../../lib/escape.ts";
import { describeDocument, locateDocument } from "../document.ts";
import { TASK_FIELDS, type TaskField } from "./fields.ts";
import { noteLines } from "./note-line.ts";
import { type Box, findBoxes } from "./task.ts";

/** What one change did to a task: a field from one value to another, a box that was ticked, a line that was noted. */
export interface Did {
  what: "title" | TaskField | "ticked" | "unticked" | "noted";
  from?: string;
  to?: string;
}

const MOST = 6;
const MAX_CHARS = 80;

/** From a text of the task at `path` to the next one, without its status; other text is not named. */
export function whatWasDone(path: string, before: string, after: string): Did[] {
  const location = locateDocument(path);
  if (location === null) return [];
  const [old, now] = [before, after].map((text) => describeTask(location, text));
  if (old === undefined || now === undefined) return [];
  const fields = (["title", ...TASK_FIELDS] as const).flatMap((what) => {
    const [from, to] = [old, now].map(({ values }) => values[what]);
    return from === to ? [] : [{ what, ...named("from", from), ...named("to", to) }];
  });
  const boxes = [...now.boxes].flatMap(([text, isDone]): Did[] =>
    (old.boxes.get(text) ?? false) === isDone
      ? []
      : [{ what: isDone ? "ticked" : "unticked", to: short(text) }],
  );
  const noted = now.notes.filter((note) => !old.notes.includes(note));
  return [...fields, ...boxes, ...noted.map((note): Did => ({ what: "noted", to: short(note) }))].slice(
    0,
    MOST,
  );
}

function describeTask(location: NonNullable<ReturnType<typeof locateDocument>>, text: string) {
  const { title, owner, tags, task, bodyOffset } = describeDocument(location, text);
  const all = { ...task, title, owner, tags } as Record<string, unknown>;
  const values = Object.fromEntries(["title", ...TASK_FIELDS].map((name) => [name, textOf(all[name])]));
  const boxes = (["steps", "criteria"] as const).flatMap((section) => findBoxes(text, bodyOffset, section));
  const isDone = (box: Box): [string, boolean] => [box.text, box.isDone];
  return { values, boxes: new Map(boxes.map(isDone)), notes: noteLines(text, null).map(({ note }) => note) };
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

function named(name: "from" | "to", value = "") {
  return value === "" ? {} : { [name]: short(value) };
}

function short(text: string): string {
  return escapeLine(text, MAX_CHARS);
}
