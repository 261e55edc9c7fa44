import { definedOf } from "../lib/collections.ts";
import { type Fields, fieldsOf, isFields, listOf, parseFields, stringOf } from "../lib/fields.ts";
import {
  dayOf,
  type ImportedTask,
  type ImportedTasks,
  listIn,
  lostFields,
  priorityOf,
  statusOf,
  withText,
} from "./imported-task.ts";

/** Also what it had before, how hard a model thought it was, and of a step, whose it is. */
const KNOWN = new Set([
  "id",
  "title",
  "description",
  "status",
  "dependencies",
  "priority",
  "details",
  "testStrategy",
  "subtasks",
  "acceptanceCriteria",
  "assignee",
  "createdAt",
  "updatedAt",
  "tags",
  "labels",
  "previousStatus",
  "complexityScore",
  "complexity",
  "recommendedSubtasks",
  "parentId",
  "parentTaskId",
  "parentTask",
  "isSubtask",
]);
/** The list of tasks that Task Master starts with. */
const MAIN = "master";

/** The `tasks.json` of Task Master, with lists by name or the single list of older versions. */
export function taskmasterTasks(json: string): ImportedTasks {
  const file = parseFields(json);
  if (file === undefined) return { tasks: [], skipped: [] };
  const lists = Array.isArray(file["tasks"]) ? { [MAIN]: file } : file;
  const tasks = Object.entries(lists).flatMap(([name, list]) =>
    listOf(fieldsOf(list)["tasks"])
      .filter(isFields)
      .filter((task) => idOf(task) !== "" && stringOf(task["title"]) !== "")
      .map((task) => taskOf(task, name)),
  );
  return { tasks, skipped: [] };
}

function taskOf(task: Fields, list: string): ImportedTask {
  const text = (name: string) => stringOf(task[name]);
  const named = (id: string) => (list === MAIN ? id : `${list}/${id}`);
  const own = idOf(task);
  const { status, tags } = statusOf(text("status"));
  const criteria = listIn(text("acceptanceCriteria"));
  const subtasks = listOf(task["subtasks"]).filter(isFields);
  return {
    id: named(own),
    title: text("title"),
    objective: text("description"),
    status,
    priority: priorityOf(text("priority")),
    owner: text("assignee"),
    due: undefined,
    tags: [
      ...(list === MAIN ? [] : [list]),
      ...[...listOf(task["tags"]), ...listOf(task["labels"])].map(stringOf),
      ...tags,
    ],
    steps: subtasks.map(stepOf),
    criteria: criteria ?? [],
    files: [],
    // A dependency on a step of another task is one on that task.
    dependencies: listOf(task["dependencies"])
      .map((one) => String(one).split(".")[0] ?? "")
      .filter((one) => one !== own)
      .map(named),
    related: [],
    sections: withText({
      Details: text("details"),
      "Test strategy": text("testStrategy"),
      ...(criteria === undefined && { Acceptance: text("acceptanceCriteria") }),
      ...Object.fromEntries(subtasks.map(stepSection)),
    }),
    dates: definedOf({ created: dayOf(task["createdAt"]), updated: dayOf(task["updatedAt"]) }),
    lost: [
      ...lostFields(task, KNOWN),
      ...subtasks.flatMap((one) => lostFields(one, KNOWN).map((name) => `subtasks.${name}`)),
    ],
  };
}

function idOf({ id }: Fields): string {
  return typeof id === "number" ? String(id) : stringOf(id);
}

function stepOf(subtask: Fields): string {
  const isDone = statusOf(stringOf(subtask["status"])).status === "done";
  return `[${isDone ? "x" : " "}] ${stringOf(subtask["title"]) || stringOf(subtask["description"])}`;
}

/** What a box does not say of a step. */
function stepSection(subtask: Fields, at: number): [title: string, text: string] {
  const status = stringOf(subtask["status"]);
  const needed = listOf(subtask["dependencies"]).map(String).join(", ");
  const facts = [
    /^(?:pending|done|completed)?$/.test(status) ? "" : `Status: ${status}`,
    needed === "" ? "" : `Needs: ${needed}`,
  ];
  const parts = ["description", "details", "testStrategy", "acceptanceCriteria"].map((name) =>
    stringOf(subtask[name]).trim(),
  );
  return [`Step ${at + 1}`, [facts.filter(Boolean).join("; "), ...parts].filter(Boolean).join("\n\n")];
}
