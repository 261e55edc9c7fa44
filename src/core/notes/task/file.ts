import { boxAt } from "../../markdown/box.ts";
import { codeSpan, embedText, oneLine, oneLines, renderHeading } from "../../markdown/embed.ts";
import { renderFrontmatter } from "../../markdown/frontmatter-edit.ts";
import type { Heading } from "../../markdown/headings.ts";
import { formatTaskNumber, parseTaskNumber, slugify } from "../names.ts";
import { shorten, splitList } from "../short-text.ts";
import { isNamed, SECTION_NAMES } from "../words/section-names.ts";
import { type NewFields, writtenFields } from "./fields.ts";
import { type TaskNamer, taskReference, writtenReference } from "./reference.ts";
import type { TaskStatus } from "./statuses.ts";

/** A new task; empty and missing parts get no section. */
export interface NewTask extends NewFields {
  title: string;
  objective: string;
  steps?: readonly string[] | null | undefined;
  acceptance_criteria?: readonly string[] | null | undefined;
  context?: TaskContext | null | undefined;
  notes?: string | null | undefined;
  status: TaskStatus;
}

interface TaskContext {
  related_files?: readonly string[] | null | undefined;
  dependencies?: readonly string[] | null | undefined;
}

export const MAX_TITLE_CHARS = 300;
// The next number would have ten digits; task numbers have at most nine.
const LAST_TASK_NUMBER = 999_999_999;

const RESERVED_NAMES = [
  ...SECTION_NAMES.objective,
  ...SECTION_NAMES.context,
  ...SECTION_NAMES.steps,
  ...SECTION_NAMES.criteria,
  ...SECTION_NAMES.notes,
];

/**
 * The text of a task's file. It reads back with the same title, status, steps and dependencies, whatever its texts contain.
 * Throws INVALID_ARGUMENT for tags that fill more than 64 KB.
 */
export function renderTask(task: NewTask, namer?: TaskNamer): string {
  const title = shorten(oneLine(task.title), MAX_TITLE_CHARS);
  const parts = [
    renderHeading(1, `Task: ${title}`),
    `Status: ${task.status}`,
    `## Objective\n${embedText(task.objective, isReserved)}`.trimEnd(),
    ...section("Context", contextLines(task.context, namer)),
    ...section(
      "Steps",
      oneLines(task.steps).map((step, at) => `${at + 1}. ${box(step)}`),
    ),
    ...section(
      "Acceptance Criteria",
      oneLines(task.acceptance_criteria).map((item) => `- ${box(item)}`),
    ),
    ...section("Notes", [embedText(task.notes ?? "", isReserved)]),
  ];
  const { tags, ...others } = writtenFields(task);
  const fields = Object.entries({ tags, ...others }).filter(([, value]) => value != null);
  return `${renderFrontmatter(Object.fromEntries(fields), "\n")}${parts.join("\n\n")}\n`;
}

/** What stands before an item of a list. */
export const ITEM_MARKER = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** `[ ] a` from `a`, `- a`, `1. a` and `- [ ] a`; `[x] a` from `[x] a`. */
function box(text: string): string {
  const item = text.replace(ITEM_MARKER, "");
  const { mark = " ", length = 0 } = boxAt(item) ?? {};
  const step = item.slice(length).trimStart();
  return step === "" ? `[ ] ${item}` : `[${mark.toLowerCase()}] ${step}`;
}

/** One more than the highest number of the files; 1 if none has a number. */
export function nextTaskNumber(filenames: Iterable<string>): number {
  let highest = 0;
  for (const filename of filenames) {
    const number = Number(parseTaskNumber(filename) ?? 0);
    if (number < LAST_TASK_NUMBER) highest = Math.max(highest, number);
  }
  return highest + 1;
}

/** `006-add-login.md` */
export function taskFilename(number: number | string, title: string): string {
  const [start, slug] = [typeof number === "string" ? number : formatTaskNumber(number), slugify(title)];
  const name = `${start}-${slug}.md`;
  // 2026 with the title "03" would be a month.
  return parseTaskNumber(name) === null ? `${start}-task-${slug}.md` : name;
}

function section(title: string, lines: readonly string[]): string[] {
  const body = lines.join("\n");
  return body === "" ? [] : [`## ${title}\n${body}`];
}

function contextLines(context: TaskContext | null | undefined, namer?: TaskNamer): string[] {
  const files = oneLines(context?.related_files).map(codeSpan);
  const dependencies = plainReferences(context?.dependencies, namer).map(
    (one) => writtenReference(one) ?? one,
  );
  return [
    ...(files.length === 0 ? [] : [`- Related files: ${files.join(", ")}`]),
    ...(dependencies.length === 0 ? [] : [`- Dependencies: ${dependencies.join(", ")}`]),
  ];
}

/** Each task once; several may stand in one text that is not itself the name or title of one. */
export function plainReferences(
  dependencies: readonly string[] | null | undefined,
  namer: TaskNamer = () => null,
): string[] {
  const references = oneLines(dependencies).flatMap((text) => {
    const whole = namer(text);
    return whole === null ? splitList(text).map((item) => namer(item) ?? plainReference(item)) : [whole];
  });
  return [...new Set(references)].filter(Boolean);
}

/** A reference without remarks, links and `.md`, so that it reads back unchanged; `""` if nothing remains. */
function plainReference(dependency: string): string {
  let reference = oneLine(taskReference(dependency));
  for (let before = ""; before !== reference && !isPlain(reference); ) {
    before = reference;
    const [item = ""] = splitList(reference.replace(/[,;、，；()（）]/g, " "));
    reference = oneLine(taskReference(item));
  }
  return isPlain(reference) ? reference : "";
}

function isPlain(reference: string): boolean {
  return writtenReference(reference) === reference && splitList(reference).join() === reference;
}

/** Headings that would end a section of the task, or pass for one. */
export function isReserved(heading: Heading): boolean {
  return heading.level <= 2 || isNamed(heading, RESERVED_NAMES);
}
