import { definedOf, groupBy } from "../../core/lib/collections.ts";
import { listOf } from "../../core/lib/fields.ts";
import { isMarkdown } from "../../core/lib/file-names.ts";
import { withClosingLine } from "../../core/markdown/blocks.ts";
import { BOX } from "../../core/markdown/box.ts";
import { type Frontmatter, parseFrontmatter, yamlOf } from "../../core/markdown/frontmatter.ts";
import { findHeadings } from "../../core/markdown/headings.ts";
import { baseName, slugify } from "../../core/notes/names.ts";
import { originalsOf } from "../../core/notes/task/copies.ts";
import { copyReason } from "../../core/notes/task/left-out.ts";
import {
  type Imported,
  type ImportedDocument,
  type ImportedSection,
  type ImportedTask,
  listed,
  PART_OF,
  priorityOf,
  recordReader,
  statusOf,
  textOf,
  withText,
} from "./imported-task.ts";

/** What Backlog.md keeps, each kind in a folder. */
export const BACKLOG_FOLDERS = ["tasks", "drafts", "completed", "archive", "docs", "decisions", "milestones"];
/** Where a file with an id is a task. */
const HOLDS_TASKS = /^(?:tasks|drafts|completed|archive\/(?:tasks|drafts|completed))\//;
/** `ordinal` is where a card stands in its column. */
const IGNORED = "ordinal subtasks";
/** What Backlog.md writes itself stands between marks. */
const MARK = /^[ \t]*<!-- (SECTION:[A-Z_]+|AC|DOD|COMMENTS?(?::[A-Z0-9_]+)?):(BEGIN|END) -->[ \t\r]*$/gm;
const BARE_NAME = /(:[ \t]+|^[ \t]*-[ \t]+|[[,][ \t]*)(@[\w.-]{1,100})(?=[ \t]*(?:$|[,\]\r]))/gm;

/** A file of Backlog.md; `path` is that in its folder. */
export interface BacklogFile {
  path: string;
  /** Why it cannot be read, if it cannot. */
  text: string | { problem: string };
}

/** What the files say, where the statuses of its settings end with the last one that a task gets. */
export function backlogFiles(files: readonly BacklogFile[], settings = ""): Imported {
  const last = textOf(listOf(parseFrontmatter(`---\n${settings}\n---\n`).data["statuses"]).at(-1));
  const imported: Imported = { tasks: [], documents: [], leftOut: [] };
  const items: { path: string; item: ImportedTask | ImportedDocument; title?: string }[] = [];
  for (const { path, text } of files) {
    const item = typeof text === "string" ? readFile(path, text, last) : text;
    if ("problem" in item) imported.leftOut.push({ path, reason: item.problem });
    else items.push({ path, item, ...("title" in item && { title: `${item.id} ${item.title}` }) });
  }
  const originals = originalsOf(items);
  for (const { path, item } of items) {
    const original = originals.get(path);
    if (original !== undefined) imported.leftOut.push({ path, reason: copyReason(original.path) });
    else if ("title" in item) imported.tasks.push(item);
    else imported.documents.push(item);
  }
  return { ...imported, tasks: withKnownIds(imported.tasks) };
}

function readFile(
  path: string,
  written: string,
  last: string | undefined,
): ImportedTask | ImportedDocument | { problem: string } {
  if (!isMarkdown(path)) return { problem: "no .md file" };
  if (written.trim() === "") return { problem: "empty" };
  const { text, frontmatter } = parsed(written);
  if (frontmatter.problem !== null) return { problem: frontmatter.problem };
  const id = textOf(frontmatter.data["id"]) ?? "";
  if (id === "" || !HOLDS_TASKS.test(path))
    return { id: id || path, path, text: written, ...decisionIn(path, frontmatter.data) };
  return taskOf({ id, path, body: text.slice(frontmatter.bodyOffset), data: frontmatter.data }, last);
}

function decisionIn(path: string, data: Frontmatter["data"]): Pick<ImportedDocument, "decision"> {
  const { text, day } = recordReader(data, "");
  if (!path.startsWith("decisions/") || text("status").toLowerCase() !== "accepted") return {};
  const title = text("title") || baseName(path).replace(/\.md$/i, "");
  return { decision: [day("date"), title].filter(Boolean).join(": ") };
}

/** It writes `assignee: @ana`, which is no YAML, and reads it. */
function parsed(text: string): { text: string; frontmatter: Frontmatter } {
  const frontmatter = parseFrontmatter(text);
  if (frontmatter.problem === null) return { text, frontmatter };
  const yaml = yamlOf(text);
  const quoted = text.replace(yaml, () => yaml.replace(BARE_NAME, '$1"$2"'));
  return { text: quoted, frontmatter: parseFrontmatter(quoted) };
}

interface TaskFile {
  id: string;
  path: string;
  data: Frontmatter["data"];
  body: string;
}

function taskOf({ id, path, data, body }: TaskFile, last: string | undefined): ImportedTask {
  const { value, text, texts, day, rest } = recordReader(data, `id ${IGNORED}`);
  const isDraft = /^(?:archive\/)?drafts\//.test(path);
  const { status, tags } = statusOf(text("status"), last);
  const places = texts("references").concat(texts("documentation"));
  const { sections, ...parts } = bodyParts(body, places.filter(isAddress));
  return {
    id,
    title: text("title") || baseName(path).replace(/\.md$/i, ""),
    status,
    isArchived: path.startsWith("archive/"),
    priority: value("priority", priorityOf),
    owner: texts("assignee")
      .map((name) => name.replace(/^@/, ""))
      .join(", "),
    due: day("due_date") ?? day("dueDate"),
    tags: [
      ...texts("labels"),
      text("type"),
      ...texts("milestone").map(slugify),
      ...tags,
      ...(isDraft ? ["draft"] : []),
    ].filter(Boolean),
    files: [...places.filter((place) => !isAddress(place)), ...texts("modified_files")],
    dependencies: texts("dependencies"),
    parent: texts("parent_task_id")[0],
    related: texts("parent_task_id")
      .slice(1)
      .map((id) => ({ id, how: PART_OF })),
    ...parts,
    dates: definedOf({
      created: day("created_date"),
      updated: day("updated_date"),
      closed: day("completed_date"),
    }),
    sections: [...sections, ...rest()],
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
  const parts = sectionsOf(withoutMarks(body));
  const take = (title: string) => {
    const key = title.toLowerCase();
    const found = parts.filter((part) => part.title.toLowerCase() === key);
    for (const part of found) parts.splice(parts.indexOf(part), 1);
    return found.map(({ text }) => text.trim()).join("\n\n");
  };
  const objective = take("Description");
  const acceptance = listed("Acceptance", take("Acceptance Criteria"));
  const done = listed("What done means", take("Definition of Done"));
  const plan = listed("Implementation plan", take("Implementation Plan"));
  const references = [take("References"), ...addresses.map((place) => `- <${place}>`)].filter(Boolean);
  const sections = [
    ...[plan, acceptance, done].flatMap((part) => part.sections),
    ...withText({
      "Implementation notes": take("Implementation Notes"),
      "Final summary": take("Final Summary"),
    }),
    ...parts,
    ...withText({ References: references.join("\n") }),
  ];
  const criteria = [...acceptance.items, ...done.items].map(withoutNumber);
  return { objective, criteria, steps: plan.items, sections };
}

/** The text without marks: what stands between two of them ends there, whatever it leaves open. */
function withoutMarks(body: string): string {
  let [text, from, open] = ["", 0, ""];
  for (const { 0: mark, 1: name = "", 2: kind, index } of body.matchAll(MARK)) {
    if (kind === "BEGIN" ? open !== "" : open !== name) continue;
    const inner = body.slice(from, index);
    text +=
      open === "" ? inner : withClosingLine((open === "COMMENTS" ? withoutMarks(inner) : inner).trimEnd());
    from = index + mark.length;
    open = kind === "BEGIN" ? name : "";
  }
  return text + body.slice(from);
}

/** The texts under the headings of the second level. */
function sectionsOf(body: string): ImportedSection[] {
  const headings = findHeadings(body).filter(({ level, text }) => level === 2 && text !== "");
  const sections = headings.map(({ text: title, end }, at) => ({
    title,
    text: body.slice(end, headings[at + 1]?.start).trim(),
  }));
  return [...withText({ Text: body.slice(0, headings[0]?.start) }), ...sections];
}

const NUMBER = new RegExp(`^(${BOX}[ \\t]+)#\\d+[ \\t]+`, "u");

/** `[x] Text` from `[x] #1 Text`. */
function withoutNumber(item: string): string {
  return item.replace(NUMBER, "$1");
}

/** The tasks, with links to other names of a task that is there: a project may have renamed `TASK-7` to `BACK-7`. */
function withKnownIds(tasks: readonly ImportedTask[]): ImportedTask[] {
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
