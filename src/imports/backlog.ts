import { definedOf, groupBy } from "../lib/collections.ts";
import { listOf, stringOf } from "../lib/fields.ts";
import { BOX } from "../markdown/box.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { findHeadings } from "../markdown/headings.ts";
import { slugify } from "../notes/names.ts";
import { type ImportedTask, listIn, priorityOf, recordReader, statusOf, withText } from "./imported-task.ts";

/** `ordinal` is where a card stands in its column. */
const IGNORED = "ordinal subtasks";
/** Marks around what Backlog.md writes itself. */
const MARK = /^[ \t]*<!-- (?:SECTION:[A-Z_]+|AC|DOD|COMMENTS?|COMMENT:[A-Z0-9_]+):(?:BEGIN|END) -->[ \t]*$/gm;

const FRONTMATTER = /^---\r?\n[\s\S]{0,65536}?\n---/;
const BARE_NAME = /(:[ \t]+|^[ \t]*-[ \t]+|[[,][ \t]*)(@[\w.-]{1,100})(?=[ \t]*(?:$|[,\]\r]))/gm;

/** It writes `assignee: @ana`, which is no YAML, and reads it. */
function quoteNames(text: string): string {
  return text.replace(FRONTMATTER, (head) => head.replace(BARE_NAME, '$1"$2"'));
}

/** A task file of Backlog.md; undefined for a file that is none. */
export function backlogTask(written: string, filename: string): ImportedTask | undefined {
  const text = quoteNames(written);
  const { data, bodyOffset } = parseFrontmatter(text);
  const { value, text: field, day, lost } = recordReader(data, IGNORED);
  const id = field("id");
  if (id === "") return undefined;
  const { status, tags } = statusOf(field("status"));
  const list = (name: string) => textsOf(value(name));
  const places = list("references").concat(list("documentation"));
  return {
    id,
    title: field("title") || filename.replace(/\.md$/i, ""),
    status,
    priority: priorityOf(field("priority")),
    owner: list("assignee")
      .map((name) => name.replace(/^@/, ""))
      .join(", "),
    due: day("due_date") ?? day("dueDate"),
    tags: [...list("labels"), field("type"), ...list("milestone").map(slugify), ...tags].filter(Boolean),
    files: [...places.filter((place) => !isAddress(place)), ...list("modified_files")],
    dependencies: list("dependencies"),
    related: list("parent_task_id").map((parent) => ({ id: parent, how: "Part of" })),
    ...bodyParts(text.slice(bodyOffset), places.filter(isAddress)),
    dates: definedOf({
      created: day("created_date"),
      updated: day("updated_date"),
      closed: day("completed_date"),
    }),
    lost: lost(),
  };
}

function isAddress(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

/** What the text below the frontmatter says; `addresses` go with its further texts. */
function bodyParts(
  body: string,
  addresses: readonly string[],
): Pick<ImportedTask, "objective" | "criteria" | "steps" | "sections"> {
  const parts = sectionsOf(body.replace(MARK, ""));
  const take = (title: string) => {
    const found = parts.get(title) ?? "";
    parts.delete(title);
    return found.trim();
  };
  const objective = take("Description");
  const criteria = [...boxes(take("Acceptance Criteria")), ...boxes(take("Definition of Done"))];
  const plan = take("Implementation Plan");
  const steps = listIn(plan);
  const references = [take("References"), ...addresses.map((place) => `- <${place}>`)].filter(Boolean);
  const sections = withText({
    ...(steps === undefined && { "Implementation plan": plan }),
    "Implementation notes": take("Implementation Notes"),
    "Final summary": take("Final Summary"),
    ...Object.fromEntries(parts),
    References: references.join("\n"),
  });
  return { objective, criteria, steps: steps ?? [], sections };
}

/** One text or a list of them. */
function textsOf(value: unknown): string[] {
  const list = typeof value === "string" ? [value] : listOf(value);
  return list.map((one) => (typeof one === "number" ? String(one) : stringOf(one)).trim()).filter(Boolean);
}

/** The texts under the headings of the second level. */
function sectionsOf(body: string): Map<string, string> {
  const headings = findHeadings(body).filter(({ level, text }) => level === 2 && text !== "");
  const sections = new Map([["Text", body.slice(0, headings[0]?.start)]]);
  for (const [at, { text, end }] of headings.entries())
    sections.set(text, `${sections.get(text) ?? ""}${body.slice(end, headings[at + 1]?.start)}`);
  return sections;
}

const NUMBER = new RegExp(`^(${BOX}[ \\t]+)#\\d+[ \\t]+`, "u");

/** `- [x] #1 Text` as `[x] Text`. */
function boxes(text: string): string[] {
  return (listIn(text) ?? text.split(/\r?\n/).filter((line) => line.trim() !== "")).map((item) =>
    item.trim().replace(NUMBER, "$1"),
  );
}

/** The tasks, with links to other names of a task that is there: a project may have renamed `TASK-7` to `BACK-7`. */
export function withKnownIds(tasks: readonly ImportedTask[]): ImportedTask[] {
  const known = new Set(tasks.map(({ id }) => id));
  const byNumber = groupBy(known, numberIn);
  const named = (id: string) => {
    const [only, ...others] = known.has(id) ? [id] : (byNumber.get(numberIn(id)) ?? []);
    return only !== undefined && others.length === 0 ? only : id;
  };
  return tasks.map((task) => ({
    ...task,
    dependencies: task.dependencies.map(named),
    related: task.related.map(({ id, how }) => ({ id: named(id), how })),
  }));
}

/** `7.1` in `TASK-7.01`; an id without a number stands for itself. */
function numberIn(id: string): string {
  const [number] = /\d+(?:\.\d+)*$/.exec(id) ?? [];
  return number?.split(".").map(Number).join(".") ?? id;
}
