import { isSameData } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { capitalized } from "../../lib/text.ts";
import { embedText, oneLine, renderHeading } from "../../markdown/embed.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { findHeadings, type Heading } from "../../markdown/headings.ts";
import { inLineEndingsOf, lineEnding } from "../../markdown/line-endings.ts";
import { appendToSection, appendToText, replaceSection } from "../../markdown/section-edit.ts";
import { withoutTail } from "../../markdown/tail.ts";
import { keysFor, LISTS } from "../field-names.ts";
import { setFields } from "../set-fields.ts";
import { shorten, splitList } from "../short-text.ts";
import { plainTag } from "../tag.ts";
import { tagsOfBody } from "../tags.ts";
import { findNamedSection, isNamed, outlineOf, SECTION_NAMES } from "../words/section-names.ts";
import { dependenciesInFields, withDependencyFields } from "./dependency-fields.ts";
import { fieldLines, setFieldLine, withFieldLines } from "./field-lines.ts";
import {
  type FieldValue,
  type NewFields,
  readField,
  TASK_FIELDS,
  type TaskField,
  writtenFields,
} from "./fields.ts";
import { isReserved, MAX_TITLE_CHARS, plainReferences } from "./file.ts";
import { type TaskNamer, writtenReference } from "./reference.ts";
import {
  type Box,
  type BoxSection,
  dependencyLists,
  dependencySection,
  findBoxes,
  findDependencies,
  isTaskTitle,
  isToDo,
  markBoxes,
  parseTask,
  titlePrefixLength,
} from "./task.ts";

/** What to change; null removes a field. */
export interface TaskChanges extends NewFields {
  /** Numbers from 1. */
  done_steps?: readonly number[] | undefined;
  open_steps?: readonly number[] | undefined;
  done_criteria?: readonly number[] | undefined;
  open_criteria?: readonly number[] | undefined;
  title?: string | undefined;
  objective?: string | undefined;
  /** All of them. */
  dependencies?: readonly string[] | undefined;
}

type TaskEdit = (text: string, changes: TaskChanges, namer?: TaskNamer) => string;

const EDITS: Record<string, TaskEdit> = {
  steps: (text, changes) => setBoxes(text, "steps", changes),
  criteria: (text, changes) => setBoxes(text, "criteria", changes),
  title: (text, { title }) => (title === undefined ? text : setTitle(text, title)),
  objective: (text, { objective }) => (objective === undefined ? text : setObjective(text, objective)),
  dependencies: (text, { dependencies }, namer) =>
    dependencies === undefined ? text : setDependencies(text, plainReferences(dependencies, namer)),
  ...Object.fromEntries(TASK_FIELDS.map((name): [string, TaskEdit] => [name, fieldEdit(name)])),
};

/**
 * The text of a task with some parts changed, all else byte for byte, the names of these parts, and the lines that were ticked. Throws INVALID_ARGUMENT for a
 * step or criterion that does not exist, and if the layout of the text has no place for a part.
 */
export function changeTask(
  text: string,
  changes: TaskChanges,
  namer?: TaskNamer,
): { text: string; changed: string[]; lines: string[] } {
  const changed: string[] = [];
  let edited = text;
  const tags = changes.tags && withoutTagsOfBody(text, changes.tags);
  for (const [name, edit] of Object.entries(EDITS)) {
    const before = edited;
    edited = edit(before, { ...changes, tags }, namer);
    if (edited !== before) changed.push(name);
  }
  const ticked = (Object.keys(BOXES) as BoxSection[]).filter((section) => changed.includes(section));
  return { text: edited, changed, lines: ticked.flatMap((section) => otherMarks(text, edited, section)) };
}

/** The lines of the boxes with another mark, as they are now. */
function otherMarks(before: string, after: string, section: BoxSection): string[] {
  const [was, is] = [before, after].map((text) =>
    findBoxes(text, parseFrontmatter(text).bodyOffset, section),
  );
  return (is ?? []).flatMap(({ mark, line }, at) =>
    was?.[at]?.mark === mark ? [] : [shorten(line, MAX_LINE_CHARS)],
  );
}

/** What a task says of a field, in frontmatter or behind a label. */
export function fieldIn<N extends TaskField>(text: string, name: N): FieldValue<N> | undefined {
  const { data, bodyOffset } = parseFrontmatter(text);
  return readField(name, withFieldLines(data, text, bodyOffset));
}

function fieldEdit(name: TaskField): TaskEdit {
  return (text, { [name]: value }) => {
    if (value === undefined) return text;
    const written = writtenFields({ [name]: value })[name];
    const { data, bodyOffset } = parseFrontmatter(text);
    const wanted = written === null ? undefined : readField(name, { [name]: written });
    const says = (one: string) => isSameData(fieldIn(one, name), wanted);
    if (written !== null && says(text)) return text;
    const line = fieldLines(text, bodyOffset).find((one) => one.name === name);
    if (line === undefined) return setFields(text, { [name]: written });
    const inLine = setFieldLine(text, line, written);
    const isInFields = keysFor(data, name).length > 0;
    if (!isInFields && says(inLine)) return inLine;
    const isKept = isInFields && written !== null && !LISTS.includes(name);
    return setFields(isKept ? text : setFieldLine(text, line, null), { [name]: written });
  };
}

/** A tag that stands in the text needs no second place. */
function withoutTagsOfBody(text: string, tags: readonly string[]): string[] {
  const inText = tagsOfBody(text, parseFrontmatter(text).bodyOffset);
  const own = fieldIn(text, "tags") ?? [];
  return tags.filter((tag) => own.includes(plainTag(tag)) || !inText.includes(plainTag(tag)));
}

const MAX_BOXES_SHOWN = 20;
const MAX_BOX_CHARS = 60;
const MAX_LINE_CHARS = 120;

const BOXES = {
  steps: { noun: "step", heading: "Steps", done: "done_steps", open: "open_steps" },
  criteria: {
    noun: "criterion",
    heading: "Acceptance Criteria",
    done: "done_criteria",
    open: "open_criteria",
  },
} as const;

function setBoxes(text: string, section: BoxSection, changes: TaskChanges): string {
  const names = BOXES[section];
  const { [names.done]: done = [], [names.open]: open = [] } = changes;
  if (done.length + open.length === 0) return text;
  const boxes = findBoxes(text, parseFrontmatter(text).bodyOffset, section);
  const both = done.find((number) => open.includes(number));
  if (both !== undefined) {
    const which = `${capitalized(names.noun)} ${both}`;
    throw invalid(`${which} is in '${names.done}' and in '${names.open}'. Name it in one.`);
  }
  const named = [...done, ...open].find((number) => boxes.every((box) => box.number !== number));
  if (named !== undefined) throw noBox(named, section, boxes);
  return markBoxes(text, boxes, (box) => {
    if (done.includes(box.number) && !box.isDone) return "x";
    return open.includes(box.number) && !isToDo(box) ? " " : null;
  });
}

function noBox(number: number, section: BoxSection, boxes: readonly Box[]): UserError {
  const { noun, heading } = BOXES[section];
  const shown = boxes
    .slice(0, MAX_BOXES_SHOWN)
    .map(({ number: own, text, mark }) => `${own}. [${mark}] ${quoteName(text, MAX_BOX_CHARS)}`);
  if (boxes.length === 0) {
    const message = `There is no ${noun} ${number || "with a number"}: the task has no checkboxes under '${heading}'.`;
    return new UserError("INVALID_ARGUMENT", message, { details: { [section]: shown }, next: "edit-text" });
  }
  const more = boxes.length > shown.length ? ` and ${boxes.length - shown.length} more` : "";
  const message = `${number === 0 ? `Name each ${noun} by its number` : `There is no ${noun} ${number}`}. The task has ${boxes.length}: ${shown.join("; ")}${more}.`;
  return invalid(message, { [section]: shown });
}

/** Only the words after `# Task: ` change; a title that would not read back there gets a line in the standard form. */
function setTitle(text: string, wanted: string): string {
  const title = shorten(oneLine(wanted), MAX_TITLE_CHARS);
  const { bodyOffset } = parseFrontmatter(text);
  if (parseTask(text, bodyOffset).title === title) return text;
  const titles = findHeadings(text, bodyOffset).filter(
    (heading) => heading.level === 1 && heading.text !== "",
  );
  const heading = titles.find(isTaskTitle) ?? titles[0];
  const inPlace = heading === undefined ? null : withTitleText(text, heading, title);
  if (inPlace !== null && parseTask(inPlace, bodyOffset).title === title) return inPlace;
  const ending = lineEnding(text);
  const line = renderHeading(1, `Task: ${title}`) + ending;
  const [start, end, gap] =
    heading === undefined ? [bodyOffset, bodyOffset, ending] : [heading.start, heading.end, ""];
  return checked(
    text.slice(0, start) + line + gap + text.slice(end),
    (task) => task.title === title,
    "title",
  );
}

function withTitleText(text: string, heading: Heading, title: string): string | null {
  const block = text.slice(heading.start, heading.end);
  const at = block.indexOf(heading.text);
  if (at === -1) return null;
  const words = heading.text.slice(titlePrefixLength(heading));
  const end = heading.start + at + heading.text.length;
  const start = end - words.trimStart().length;
  const gap = words === "" && !/\s$/.test(heading.text) ? " " : "";
  return text.slice(0, start) + gap + title + text.slice(end);
}

function setObjective(text: string, objective: string): string {
  const outline = outlineOf(text, parseFrontmatter(text).bodyOffset);
  const section = findNamedSection(outline, SECTION_NAMES.objective);
  const level = section?.heading.level ?? 2;
  const content = embedText(objective, (heading) => heading.level <= level || isReserved(heading));
  if (section !== null) return replaceSection(text, section, content);
  if (content === "") return text;
  const next = outline.headings.find((heading) => heading.level === 2);
  const edited = insertSection(text, `## Objective\n${content}`, next);
  return checked(edited, (task) => task.objective !== null, "objective");
}

/** Before a heading, else at the end. */
function insertSection(text: string, section: string, next: Heading | undefined): string {
  if (next === undefined) return appendToText(text, section);
  return text.slice(0, next.start) + inLineEndingsOf(text, `${section}\n\n`) + text.slice(next.start);
}

function setDependencies(text: string, references: readonly string[]): string {
  const known = findDependencies(text, parseFrontmatter(text).bodyOffset);
  const present = dependenciesIn(text);
  if (present.join("\n") === references.join("\n")) return text;
  const asWritten = new Map(known.map((item) => [item.reference, item.written]));
  const written = (reference: string) => asWritten.get(reference) ?? writtenReference(reference) ?? reference;
  const inFields = withDependencyFields(text, references);
  const rest = inFields !== null && known.length > 0 ? withDependencies(inFields, []) : inFields;
  const edited = rest ?? withDependencies(text, references.map(written));
  return checked(edited, () => dependenciesIn(edited).join("\n") === references.join("\n"), "dependencies");
}

/** What a task waits for, as its frontmatter and its text say. */
function dependenciesIn(text: string): string[] {
  const { data, bodyOffset } = parseFrontmatter(text);
  return [...new Set([...dependenciesInFields(data), ...parseTask(text, bodyOffset).dependencies])];
}

function withDependencies(text: string, items: readonly string[]): string {
  const parts = dependencyLists(text, parseFrontmatter(text).bodyOffset);
  if (parts.length === 0) return withNewDependencies(text, items);
  return parts[0]?.kind === "item" ? withItems(text, parts, items) : withList(text, parts, items);
}

type Parts = ReturnType<typeof dependencyLists>;

/** The list stands behind its label; lines nested under that, and further labels and headings, lose their items. */
function withList(text: string, parts: Parts, items: readonly string[]): string {
  const list = items.join(", ") || "none";
  let edited = "";
  let from = 0;
  for (const [at, { text: value, start, kind, line }] of parts.entries()) {
    const [emphasis = "", space = ""] = /^[*_`]{0,3}([ \t]*)/.exec(value) ?? [];
    const keep = kind === "item" ? line.start : start + emphasis.length;
    edited += text.slice(from, keep);
    if (kind === "value") edited += (space === "" ? " " : "") + (at === 0 ? list : "none");
    from = kind === "item" ? line.next : Math.max(keep, start + withoutTail(value).length);
  }
  return edited + text.slice(from);
}

/** In place of the first line under a heading; those that the list still has are as they were. */
function withItems(text: string, parts: Parts, items: readonly string[]): string {
  const lines = items.map((item) => {
    const line = parts.find((part) => withoutTail(part.text).trimStart() === item)?.line;
    return (line?.text ?? `- ${item}`) + lineEnding(text);
  });
  let edited = "";
  let from = 0;
  for (const [at, { line }] of parts.entries()) {
    edited += text.slice(from, line.start) + (at === 0 ? lines.join("") : "");
    from = line.next;
  }
  return edited + text.slice(from);
}

function withNewDependencies(text: string, items: readonly string[]): string {
  const outline = outlineOf(text, parseFrontmatter(text).bodyOffset);
  const listed = dependencySection(outline);
  if (listed !== null) {
    const isEmpty = splitList(text.slice(listed.bodyStart, listed.end)).length === 0;
    const lines = items.map((item) => `- ${item}`).join("\n");
    return isEmpty ? replaceSection(text, listed, lines) : appendToSection(text, listed, lines);
  }
  const line = `- Dependencies: ${items.join(", ") || "none"}`;
  const section = findNamedSection(outline, SECTION_NAMES.context);
  if (section !== null) return appendToSection(text, section, line);
  const steps = outline.headings.find((heading) => isNamed(heading, SECTION_NAMES.steps));
  return insertSection(text, `## Context\n${line}`, steps);
}

/** Throws unless the edit reads back: in a text with an open code block it may not. */
function checked(text: string, holds: (task: ReturnType<typeof parseTask>) => boolean, part: string): string {
  if (holds(parseTask(text, parseFrontmatter(text).bodyOffset))) return text;
  const message = `The text of the task has no place for '${part}': it may end inside a code block.`;
  throw new UserError("INVALID_ARGUMENT", message, { next: "edit-text" });
}

function invalid(message: string, details: Record<string, unknown> = {}): UserError {
  return new UserError("INVALID_ARGUMENT", message, { details });
}
