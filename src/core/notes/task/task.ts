import { eachMarkdownLine, type MarkdownLine } from "../../markdown/blocks.ts";
import { BOX, boxAt } from "../../markdown/box.ts";
import type { Heading } from "../../markdown/headings.ts";
import { indentation, isBlank } from "../../markdown/lines.ts";
import type { Section } from "../../markdown/sections.ts";
import { listItems, shorten, splitList } from "../short-text.ts";
import { inAnyLanguage, TASK_WORD } from "../words/languages.ts";
import { findNamedSection, isNamed, type Outline, outlineOf, SECTION_NAMES } from "../words/section-names.ts";
import type { Label } from "../words/type.ts";
import { taskKeys } from "./dependencies.ts";
import { labelOf } from "./labels.ts";
import { taskReference } from "./reference.ts";

export interface Progress {
  done: number;
  total: number;
}

/** The body of a task, without its status. */
export interface ParsedTask {
  title: string | null;
  objective: string | null;
  progress: Progress;
  /** Task references: a number, or a file name without `.md`. */
  dependencies: string[];
}

const MAX_OBJECTIVE_CHARS = 1_000;
/** Longer lists are cut, since the index stores them and every list of tasks shows them. */
const MAX_LISTED = 1_000;
const MAX_LIST_CHARS = 100_000;

const TITLE_PREFIX = new RegExp(`^${TASK_WORD}(?:\\s{1,4}#?\\d{1,9})?\\s{0,4}[:：]`, "i");
const DEPENDENCY_HEADINGS = inAnyLanguage(({ labels }) => labels.dependencies);
const ITEM_OR_TEXT = new RegExp(
  `^[ \\t]{0,40}(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]{1,4})?(?:${BOX}[ \\t]{1,4})?`,
  "u",
);
const ITEM = /^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}/;
/** `- Related files: x` is no item of the list above it. */
const LABEL = /^[*_`]{0,3}\p{L}[^:：]{0,40}[:：]/u;

export function parseTask(text: string, bodyOffset: number): ParsedTask {
  const outline = outlineOf(text, bodyOffset);
  return {
    title: taskTitle(outline.headings),
    objective: taskObjective(outline),
    progress: progressUnder(outline, "steps"),
    dependencies: taskDependencies(outline, bodyOffset),
  };
}

/** The first `# Task: x`, else the first level-1 heading; without the prefix. */
function taskTitle(headings: readonly Heading[]): string | null {
  let first: string | null = null;
  for (const heading of headings) {
    if (heading.level !== 1) continue;
    if (isTaskTitle(heading)) return heading.text.replace(TITLE_PREFIX, "").trim() || first;
    first ??= heading.text || null;
  }
  return first;
}

/** How long the `Task: ` before a title is. */
export function titlePrefixLength(heading: Heading): number {
  return TITLE_PREFIX.exec(heading.text)?.[0].length ?? 0;
}

/** True for `# Task: x`. */
export function isTaskTitle({ level, text }: Heading): boolean {
  return level === 1 && TITLE_PREFIX.test(text);
}

function taskObjective(outline: Outline): string | null {
  const section = findNamedSection(outline, SECTION_NAMES.objective);
  if (section === null) return null;
  return shorten(outline.text.slice(section.bodyStart, section.end).trim(), MAX_OBJECTIVE_CHARS);
}

/** How many boxes of a section are ticked. */
export function progressIn(text: string, bodyOffset: number, section: BoxSection): Progress {
  return progressUnder(outlineOf(text, bodyOffset), section);
}

function progressUnder(outline: Outline, section: BoxSection): Progress {
  const counted = boxesUnder(outline, section).filter(({ isDropped }) => !isDropped);
  return { done: counted.filter(({ isDone }) => isDone).length, total: counted.length };
}

/** A checkbox under Steps or Acceptance Criteria, nested ones too. */
export interface Box {
  number: number;
  text: string;
  /** Its line, with the marker. */
  line: string;
  /** What stands in its brackets, and where. */
  mark: string;
  markAt: number;
  isDone: boolean;
  /** Whether its mark says that it need not be done. */
  isDropped: boolean;
}

/** The sections whose checkboxes say how far a task is. */
export type BoxSection = "steps" | "criteria";

/** The boxes of a section in their order. */
export function findBoxes(text: string, bodyOffset: number, section: BoxSection): Box[] {
  return boxesUnder(outlineOf(text, bodyOffset), section);
}

/** The numbers of the steps and criteria that are still to do. */
export function openBoxes(text: string, bodyOffset: number): Record<BoxSection, number[]> {
  const outline = outlineOf(text, bodyOffset);
  const openIn = (section: BoxSection) =>
    boxesUnder(outline, section)
      .filter(isToDo)
      .map(({ number }) => number);
  return { steps: openIn("steps"), criteria: openIn("criteria") };
}

export function isToDo({ isDone, isDropped }: Box): boolean {
  return !isDone && !isDropped;
}

/** The text with other marks in its boxes; null leaves one as it is. */
export function markBoxes(text: string, boxes: readonly Box[], markOf: (box: Box) => string | null): string {
  const parts: string[] = [];
  let from = 0;
  for (const box of boxes) {
    const mark = markOf(box);
    if (mark === null) continue;
    parts.push(text.slice(from, box.markAt), mark);
    from = box.markAt + box.mark.length;
  }
  return parts.join("") + text.slice(from);
}

/** Where boxes of a section are. Without Steps, they are wherever no section has a meaning of its own: under Tasks, TODO, phases. */
function boxLines(outline: Outline, section: BoxSection): Iterable<MarkdownLine> {
  const isSaid = section !== "steps" || findNamedSection(outline, SECTION_NAMES.steps) !== null;
  return isSaid ? linesUnder(outline, SECTION_NAMES[section]) : linesOutside(outline);
}

const KNOWN_HEADINGS = [...Object.values(SECTION_NAMES).flat(), ...DEPENDENCY_HEADINGS];

function* linesOutside({ text, headings }: Outline): Generator<MarkdownLine> {
  if (!text.includes("[")) return;
  let known = Number.POSITIVE_INFINITY;
  for (const [at, heading] of [undefined, ...headings].entries()) {
    const level = heading?.level ?? 0;
    if (level <= known) known = isKnown(heading) ? level : Number.POSITIVE_INFINITY;
    if (known === Number.POSITIVE_INFINITY)
      yield* textLines(text, heading?.end ?? 0, headings[at]?.start ?? text.length);
  }
}

function isKnown(heading: Heading | undefined): boolean {
  return heading !== undefined && isNamed(heading, KNOWN_HEADINGS);
}

type NestedBox = Box & { depth: number; written: number };

function boxesUnder(outline: Outline, section: BoxSection): Box[] {
  const found: NestedBox[] = [];
  for (const line of boxLines(outline, section)) {
    const content = line.beginsItem ? outline.text.slice(line.at, line.end) : "";
    const box = boxAt(content);
    if (box === null) continue;
    const { length, ...mark } = box;
    const text = content.slice(length).trim();
    const written = Number(
      /(\d{1,9})[.)]\s*$/.exec(outline.text.slice(line.start, line.at))?.[1] ?? Number.NaN,
    );
    found.push({
      ...mark,
      number: 0,
      text,
      line: line.text.trim(),
      markAt: line.at + 1,
      depth: line.depth,
      written,
    });
  }
  return numbered(found);
}

/** The items of the outer list have the numbers before them, if these tell all of them apart; all others are counted. */
function numbered(found: readonly NestedBox[]): Box[] {
  const outer = found.reduce((least, { depth }) => Math.min(least, depth), Infinity);
  const own = new Set(found.flatMap(({ depth, written }) => (depth === outer ? [written] : [])));
  const isNamed = !own.has(Number.NaN) && own.size === found.filter(({ depth }) => depth === outer).length;
  let last = isNamed ? [...own].reduce((most, one) => Math.max(most, one), 0) : 0;
  return found.map(({ depth, written, ...box }) => ({
    ...box,
    number: isNamed && depth === outer ? written : ++last,
  }));
}

/** The related files under the context of a task: mostly paths of code. */
export function relatedFiles(text: string, bodyOffset: number): string[] {
  const outline = outlineOf(text, bodyOffset);
  const files = new Set<string>();
  const lines = linesUnder(outline, SECTION_NAMES.context);
  for (const { text: value } of labelledLists(lines, "files")) {
    const spans = [...value.matchAll(/`([^`]{1,300})`/g)].map(([, path = ""]) => path);
    for (const item of spans.length > 0 ? spans : splitList(value)) files.add(item.trim());
  }
  files.delete("");
  return [...files];
}

/** The first step that is still to do; null if there is none. */
export function nextStep(text: string, bodyOffset: number): string | null {
  const steps = findBoxes(text, bodyOffset, "steps");
  return steps.find((step) => isToDo(step) && step.text !== "")?.text ?? null;
}

function taskDependencies(outline: Outline, bodyOffset: number): string[] {
  const references = new Set<string>();
  for (const { reference } of eachDependency(outline, bodyOffset)) {
    references.add(reference);
    if (references.size === MAX_LISTED) break;
  }
  return [...references];
}

/** An item of the dependencies at `[start, start + text.length)`, and the task that it names. */
export interface Dependency {
  text: string;
  /** The text with its remarks. */
  written: string;
  start: number;
  reference: string;
}

/** The dependencies of a task, with their places. */
export function findDependencies(text: string, bodyOffset: number): Dependency[] {
  return [...eachDependency(outlineOf(text, bodyOffset), bodyOffset)];
}

/** The value of a label, or an item of the list nested under it or under a heading. */
interface ListPart {
  text: string;
  start: number;
  kind: "value" | "item";
  line: MarkdownLine;
}

/** Where a task lists its dependencies. */
export function dependencyLists(text: string, bodyOffset: number): ListPart[] {
  return [...eachList(outlineOf(text, bodyOffset), bodyOffset)];
}

/** The section that lists the dependencies of a task; null without one. */
export function dependencySection(outline: Outline): Section | null {
  return findNamedSection(outline, DEPENDENCY_HEADINGS);
}

function* eachList(outline: Outline, bodyOffset: number): Generator<ListPart> {
  yield* labelledLists(linesAbove(outline, bodyOffset), "dependencies");
  yield* labelledLists(linesUnder(outline, SECTION_NAMES.context), "dependencies");
  for (const line of linesUnder(outline, DEPENDENCY_HEADINGS)) {
    const { length: marker } = ITEM_OR_TEXT.exec(line.text)?.[0] ?? "";
    const label = labelOf(line.text.slice(marker), "dependencies");
    const text = line.text.slice(marker + (label?.start ?? 0)).trimStart();
    const at = line.text.length - text.length;
    const names = splitList(text.slice(0, MAX_LIST_CHARS));
    if (names.length > 0 && names.every(isTaskName))
      yield { text, start: line.start + at, kind: "item", line };
  }
}

/** Under a heading, other programs and packages may stand, too. */
function isTaskName(item: string): boolean {
  return item.startsWith("[[") || taskKeys(taskReference(item)).length > 1;
}

function* eachDependency(outline: Outline, bodyOffset: number): Generator<Dependency> {
  for (const list of eachList(outline, bodyOffset)) {
    for (const { text, written, start } of listItems(list.text)) {
      const reference = taskReference(text);
      if (reference !== "") yield { text, written, start: list.start + start, reference };
    }
  }
}

/** The value after the label, or the items of the list under it. */
function* labelledLists(lines: Iterable<MarkdownLine>, name: Label): Generator<ListPart> {
  let leastIndent: number | null = null;
  for (const line of lines) {
    const label = labelOf(line.text, name);
    const marker = ITEM.exec(line.text)?.[0].length ?? 0;
    const item = line.text.slice(marker);
    if (label !== undefined) {
      const { start: from, end } = label;
      const text = line.text.slice(from, Math.min(end, from + MAX_LIST_CHARS));
      // The list under an item is nested; that under a line of text need not be.
      const least = indentation(line.text) + (marker > 0 ? 1 : 0);
      leastIndent = text.replace(/[*_`\s]+/g, "") === "" ? least : null;
      yield { text, start: line.start + from, kind: "value", line };
    } else if (leastIndent !== null && isListed(line, marker, leastIndent) && !LABEL.test(item)) {
      yield { text: item, start: line.start + marker, kind: "item", line };
    } else if (!isBlank(line.text)) {
      leastIndent = null;
    }
  }
}

function isListed({ text }: MarkdownLine, marker: number, leastIndent: number): boolean {
  return marker > 0 && indentation(text) >= leastIndent;
}

function* linesUnder(outline: Outline, names: readonly string[]): Generator<MarkdownLine> {
  const section = findNamedSection(outline, names);
  if (section !== null) yield* textLines(outline.text, section.bodyStart, section.end);
}

/** The lines between the title and the first section. */
function linesAbove({ text, headings }: Outline, bodyOffset: number): Generator<MarkdownLine> {
  const end = headings.find(({ level }) => level > 1)?.start ?? text.length;
  const title = headings.findLast(({ level, start }) => level === 1 && start < end);
  return textLines(text, title?.end ?? bodyOffset, end);
}

function* textLines(text: string, from: number, to: number): Generator<MarkdownLine> {
  for (const line of eachMarkdownLine(text, from, to)) if (line.region === "text") yield line;
}
