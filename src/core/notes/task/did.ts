import { escapeLine } from "../../lib/escape.ts";
import { withoutTicks } from "../../markdown/box.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { describeDocument, locateDocument } from "../document.ts";
import { TASK_FIELDS, type TaskField } from "./fields.ts";
import { noteLines } from "./note-line.ts";
import { type Box, findBoxes } from "./task.ts";

/** What one change did: a field from one value to another, a box that was ticked, a line that was noted, a section that was edited. */
export interface Did {
  what: "title" | TaskField | "ticked" | "unticked" | "noted" | "edited";
  from?: string;
  to?: string;
}

const MOST = 6;
const MAX_CHARS = 80;

/** From a text of the document at `path` to the next one, without its status. */
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
  const notes = noted.map((note): Did => ({ what: "noted", to: short(note) }));
  // Several sections may have one name.
  const known = new Set(old.sections.map(String));
  const edited = now.sections.filter(
    (section) => !known.has(String(section)) && !noted.some((note) => section[1].includes(note)),
  );
  const sections = edited.map(([name]): Did => ({ what: "edited", to: short(name) }));
  return [...fields, ...boxes, ...notes, ...sections].slice(0, MOST);
}

function describeTask(location: NonNullable<ReturnType<typeof locateDocument>>, text: string) {
  const { title, owner, tags, task, bodyOffset } = describeDocument(location, text);
  const all = { ...task, title, owner, tags } as Record<string, unknown>;
  const values = Object.fromEntries(["title", ...TASK_FIELDS].map((name) => [name, textOf(all[name])]));
  const boxes = (["steps", "criteria"] as const).flatMap((section) => findBoxes(text, bodyOffset, section));
  const isDone = (box: Box): [string, boolean] => [box.text, box.isDone];
  const headings = findHeadings(text, bodyOffset);
  // A task's status may stand below its title.
  const sections = headings.flatMap(({ level, text: name, end }, at) =>
    level === 1 ? [] : [[name, withoutTicks(text.slice(end, headings[at + 1]?.start)).trim()] as const],
  );
  const notes = noteLines(text, null).map(({ note }) => note);
  return { values, boxes: new Map(boxes.map(isDone)), notes, sections };
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
