import { definedOf } from "../lib/collections.ts";
import { listOf, stringOf } from "../lib/fields.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import {
  dayOf,
  type ImportedTask,
  listIn,
  lostFields,
  priorityOf,
  statusOf,
  withText,
} from "./imported-task.ts";

const KNOWN = new Set([
  ...["id", "title", "status", "assignee", "created_date", "updated_date", "labels", "dependencies"],
  ...[
    "priority",
    "parent_task_id",
    "references",
    "documentation",
    "modified_files",
    "due_date",
    "dueDate",
    "type",
  ],
  // Where a card stands in its column.
  ...["ordinal", "subtasks"],
]);
/** Marks around what Backlog.md writes itself. */
const MARK = /^[ \t]*<!-- (?:SECTION:[A-Z_]+|AC|DOD|COMMENTS?|COMMENT:[A-Z0-9_]+):(?:BEGIN|END) -->[ \t]*$/gm;

/** A task file of Backlog.md; undefined for a file that is none. */
export function backlogTask(text: string, filename: string): ImportedTask | undefined {
  const { data, bodyOffset } = parseFrontmatter(text);
  const id = stringOf(data["id"]);
  if (id === "") return undefined;
  const { status, tags } = statusOf(stringOf(data["status"]));
  const places = texts(data["references"]).concat(texts(data["documentation"]));
  const type = stringOf(data["type"]);
  return {
    id,
    title: stringOf(data["title"]) || filename.replace(/\.md$/i, ""),
    status,
    priority: priorityOf(stringOf(data["priority"])),
    owner: texts(data["assignee"])
      .map((name) => name.replace(/^@/, ""))
      .join(", "),
    due: dayOf(data["due_date"]) ?? dayOf(data["dueDate"]),
    tags: [...texts(data["labels"]), ...(type === "" ? [] : [type]), ...tags],
    files: [...places.filter((place) => !isAddress(place)), ...texts(data["modified_files"])],
    dependencies: texts(data["dependencies"]),
    related: texts(data["parent_task_id"]).map((parent) => ({ id: parent, how: "Part of" })),
    ...bodyParts(text.slice(bodyOffset), places.filter(isAddress)),
    dates: datesOf(data),
    lost: lostFields(data, KNOWN),
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
  const sections = withText({
    ...(steps === undefined && { "Implementation plan": plan }),
    "Implementation notes": take("Implementation Notes"),
    "Final summary": take("Final Summary"),
    ...Object.fromEntries(parts),
    References: addresses.map((place) => `- <${place}>`).join("\n"),
  });
  return { objective, criteria, steps: steps ?? [], sections };
}

function datesOf(data: Readonly<Record<string, unknown>>): ImportedTask["dates"] {
  return definedOf({ created: dayOf(data["created_date"]), updated: dayOf(data["updated_date"]) });
}

/** One text or a list of them. */
function texts(value: unknown): string[] {
  const list = typeof value === "string" ? [value] : listOf(value);
  return list.map((one) => (typeof one === "number" ? String(one) : stringOf(one)).trim()).filter(Boolean);
}

/** The texts under the headings of the second level. */
function sectionsOf(body: string): Map<string, string> {
  const sections = new Map<string, string>();
  let title = "";
  let isCode = false;
  for (const line of body.split(/\r?\n/)) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : /^## (.+?)[ \t#]*$/.exec(line)?.[1];
    if (heading !== undefined) title = heading;
    else sections.set(title || "Text", `${sections.get(title || "Text") ?? ""}${line}\n`);
  }
  return sections;
}

/** `- [x] #1 Text` as `[x] Text`. */
function boxes(text: string): string[] {
  return (listIn(text) ?? text.split(/\r?\n/).filter((line) => line.trim() !== "")).map((item) =>
    item.trim().replace(/^(\[[ xX]\][ \t]+)#\d+[ \t]+/, "$1"),
  );
}
