import { definedOf } from "../lib/collections.ts";
import { type Fields, fieldsOf, isFields, parseFields, stringOf } from "../lib/fields.ts";
import { counted } from "../lib/text.ts";
import {
  dayOf,
  type ImportedTask,
  type ImportedTasks,
  listIn,
  recordReader,
  statusOf,
  withText,
} from "./imported-task.ts";

/** Counts are of what is listed. */
const IGNORED =
  "created_by content_hash source_repo _type owner dependency_count dependent_count comment_count compaction_level original_size";
const HOW: Readonly<Record<string, string>> = {
  "parent-child": "Part of",
  "discovered-from": "Found while working on",
  duplicates: "Duplicate of",
  supersedes: "Replaces",
};

/** What stays out, and how it is named. */
const LEFT_OUT = {
  broken: ["line", "without an issue"],
  removed: ["issue", "that beads removed"],
  ephemeral: ["issue", "that beads keeps for a while only"],
} as const;

/** The issues of beads, one JSON object a line; undefined stands for a line that is too long. */
export function beadsTasks(lines: Iterable<string | undefined>): ImportedTasks {
  const tasks = new Map<string, ImportedTask>();
  const left = { broken: 0, removed: 0, ephemeral: 0 };
  for (const line of lines) {
    if (line?.trim() === "") continue;
    const issue = line === undefined ? undefined : issueIn(line);
    const reason = leftOut(issue);
    if (reason !== undefined) left[reason]++;
    else if (issue?.["id"] !== undefined)
      tasks.set(stringOf(issue["id"]), taskOf(issue, stringOf(issue["id"])));
  }
  const reasons = (Object.keys(LEFT_OUT) as (keyof typeof LEFT_OUT)[]).filter((reason) => left[reason] > 0);
  const skipped = reasons.map((reason) => {
    const [what, why] = LEFT_OUT[reason];
    return `${counted(left[reason], what)} ${why}`;
  });
  return { tasks: [...tasks.values()], skipped };
}

function leftOut(issue: Fields | undefined): keyof typeof LEFT_OUT | undefined {
  if (issue === undefined) return "broken";
  if (issue["status"] === "tombstone") return "removed";
  return issue["ephemeral"] === true ? "ephemeral" : undefined;
}

/** An issue, or a record of another kind, which has no id; undefined for anything else. */
function issueIn(line: string): Fields | undefined {
  const record = parseFields(line);
  if (record === undefined) return undefined;
  const kind = stringOf(record["_type"]);
  if (kind !== "" && kind !== "issue") return {};
  return stringOf(record["id"]) === "" || stringOf(record["title"]) === "" ? undefined : record;
}

function taskOf(issue: Fields, id: string): ImportedTask {
  const { value, text, list, day, lost } = recordReader(issue, `id ${IGNORED}`);
  const { status, tags } = statusOf(text("status"));
  const acceptance = text("acceptance_criteria");
  const criteria = listIn(acceptance);
  const links = linksOf(list("dependencies"), text("parent"));
  const isBlocking = ({ type }: Fields) => type === undefined || type === "" || type === "blocks";
  const kind = text("issue_type");
  return {
    id,
    title: text("title"),
    objective: text("description"),
    status,
    priority: priorityOf(value("priority")),
    owner: text("assignee"),
    due: day("due_at"),
    tags: [...list("labels").map(stringOf), ...(kind === "" || kind === "task" ? [] : [kind]), ...tags],
    steps: [],
    criteria: criteria ?? [],
    files: [],
    dependencies: links.filter(isBlocking).map((link) => stringOf(link["depends_on_id"])),
    related: links
      .filter((link) => !isBlocking(link))
      .map((link) => ({
        id: stringOf(link["depends_on_id"]),
        how: HOW[stringOf(link["type"])] ?? "See also",
      })),
    sections: withText({
      Design: text("design"),
      ...(criteria === undefined && { Acceptance: acceptance }),
      Remarks: text("notes"),
      "Why it was closed": text("close_reason"),
      Reference: text("external_ref"),
      Comments: list("comments").map(commentLine).filter(Boolean).join("\n"),
    }),
    dates: definedOf({ created: day("created_at"), updated: day("updated_at"), closed: day("closed_at") }),
    lost: lost(),
  };
}

function linksOf(dependencies: readonly unknown[], parent: string): Fields[] {
  const links = dependencies.filter(isFields);
  const isKnown = parent === "" || links.some((link) => link["depends_on_id"] === parent);
  return isKnown ? links : [...links, { depends_on_id: parent, type: "parent-child" }];
}

/** From 0, the most urgent, to 4; 0 is left out of the file. */
function priorityOf(value: unknown): ImportedTask["priority"] {
  const priority = typeof value === "number" ? value : 0;
  return priority < 2 ? "high" : priority === 2 ? "medium" : "low";
}

function commentLine(value: unknown): string {
  const { author, text, created_at } = fieldsOf(value);
  const said = stringOf(text)
    .trim()
    .replace(/\s*\n\s*/g, " ");
  const who = [stringOf(author), dayOf(created_at)].filter(Boolean).join(", ");
  return said === "" ? "" : `- ${who === "" ? "" : `${who}: `}${said}`;
}
