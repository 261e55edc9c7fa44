import { definedOf } from "../../core/lib/collections.ts";
import { type Fields, fieldsOf, isFields, parseFields, stringOf } from "../../core/lib/fields.ts";
import {
  dayOf,
  fieldLine,
  type Imported,
  type ImportedTask,
  itemOf,
  type LeftOut,
  listed,
  PART_OF,
  priorityOf,
  recordReader,
  statusOf,
  textOf,
  withText,
} from "./imported-task.ts";

/** Counts are of what is listed. */
const IGNORED =
  "created_by content_hash source_repo _type owner dependency_count dependent_count comment_count compaction_level original_size";
const PART = "parent-child";
const HOW: Readonly<Record<string, string>> = {
  [PART]: PART_OF,
  "discovered-from": "Found while working on",
  duplicates: "Duplicate of",
  supersedes: "Replaces",
};

/** Issues of beads, one JSON object a line. */
interface IssueFile {
  path: string;
  /** Undefined for one that is too long. */
  lines: Iterable<string | undefined>;
}

/** An issue, and where it stands. */
interface FoundIssue {
  issue: Fields;
  at: Omit<LeftOut, "reason">;
}

/** The issues of all files; of several versions of one, the newest. */
export function beadsTasks(files: readonly IssueFile[]): Imported {
  const found = new Map<string, FoundIssue>();
  const leftOut: LeftOut[] = [];
  for (const { issue, at } of issuesIn(files, leftOut)) {
    // An id may occur twice: issues that were created at different times are two.
    const key = `${timeOf(issue["created_at"])} ${issue["id"]}`;
    const other = found.get(key);
    const isNewer = other === undefined || timeOf(issue["updated_at"]) >= timeOf(other.issue["updated_at"]);
    const older = isNewer ? other : { issue, at };
    if (isNewer) found.set(key, { issue, at });
    if (older !== undefined && JSON.stringify(issue) !== JSON.stringify(other?.issue))
      leftOut.push({ ...older.at, reason: "older versions of issues that came in" });
  }
  return { tasks: [...found.values()].map(({ issue }) => taskOf(issue)), documents: [], leftOut };
}

function* issuesIn(files: readonly IssueFile[], leftOut: LeftOut[]): Generator<FoundIssue> {
  for (const { path, lines } of files) {
    let number = 0;
    for (const line of lines) {
      const issue = line === undefined ? undefined : parseFields(line);
      const id = stringOf(issue?.["id"]);
      const at = { path, place: `line ${++number} ${id}`.trimEnd() };
      const reason = whyNot(line, issue);
      if (reason !== undefined) leftOut.push({ ...at, reason });
      else if (issue !== undefined) yield { issue, at };
    }
  }
}

/** Undefined for an issue, and for a blank line. */
function whyNot(line: string | undefined, issue: Fields | undefined): string | undefined {
  if (line === undefined) return "longer than 4 MB";
  if (issue === undefined) return line.trim() === "" ? undefined : "cut, or no issue";
  const kind = stringOf(issue["_type"]);
  if (kind !== "" && kind !== "issue") return `no issue, but a ${kind}`;
  if (stringOf(issue["id"]) === "") return "an issue without an id";
  if (issue["status"] === "tombstone") return "removed in beads";
  return issue["ephemeral"] === true ? "kept by beads for a while only" : undefined;
}

function timeOf(said: unknown): number {
  return Date.parse(stringOf(said)) || 0;
}

function taskOf(issue: Fields): ImportedTask {
  const { value, text, list, texts, day, rest } = recordReader(issue, `id ${IGNORED}`);
  const id = stringOf(issue["id"]);
  const { status, tags } = statusOf(text("status"));
  const { items, sections } = listed("Acceptance", text("acceptance_criteria"));
  const links = linksOf(list("dependencies"), text("parent"));
  const isBlocking = ({ type }: Fields) => type === undefined || type === "" || type === "blocks";
  const kind = text("issue_type");
  const above = links.find(({ type }) => type === PART)?.["depends_on_id"];
  const parent = above === undefined ? undefined : stringOf(above);
  return {
    id,
    title: text("title") || id,
    objective: text("description"),
    status,
    priority: value("priority", urgencyOf),
    owner: texts("assignee").join(", "),
    due: day("due_at"),
    tags: [...texts("labels"), ...(kind === "" || kind === "task" ? [] : [kind]), ...tags],
    steps: [],
    criteria: items,
    files: [],
    parent,
    dependencies: links.filter(isBlocking).map((link) => stringOf(link["depends_on_id"])),
    related: links
      .filter((link) => !isBlocking(link) && link["depends_on_id"] !== parent)
      .map((link) => ({
        id: stringOf(link["depends_on_id"]),
        how: HOW[stringOf(link["type"])] ?? "See also",
      })),
    dates: definedOf({ created: day("created_at"), updated: day("updated_at"), closed: day("closed_at") }),
    sections: [
      ...withText({ Design: text("design") }),
      ...sections,
      ...withText({
        Remarks: text("notes"),
        "Why it was closed": text("close_reason"),
        Reference: text("external_ref"),
        Comments: list("comments").map(commentItem).filter(Boolean).join("\n"),
      }),
      ...rest(),
    ],
  };
}

/** Links as objects, or as ids alone. */
function linksOf(dependencies: readonly unknown[], parent: string): Fields[] {
  const links = dependencies.map((one) => (isFields(one) ? one : { depends_on_id: textOf(one) }));
  const isKnown = parent === "" || links.some((link) => link["depends_on_id"] === parent);
  return (isKnown ? links : [...links, { depends_on_id: parent, type: PART }]).filter(
    (link) => stringOf(link["depends_on_id"]) !== "",
  );
}

/** From 0, the most urgent, to 4; 0 is left out of the file. */
function urgencyOf(value: unknown): ImportedTask["priority"] {
  return priorityOf(`P${textOf(value ?? 0)?.replace(/^p/i, "")}`);
}

function commentItem(value: unknown): string {
  const { author, text, created_at } = fieldsOf(value);
  const said = stringOf(text).trim() || (isFields(value) ? "" : (textOf(value) ?? "").trim());
  const who = [stringOf(author), dayOf(created_at)].filter(Boolean).join(", ");
  if (said === "" && isFields(value)) return fieldLine("Comment", value);
  if (said.includes("\n")) return itemOf(who || "Comment", said);
  return said === "" ? "" : `- ${who === "" ? "" : `${who}: `}${said}`;
}
