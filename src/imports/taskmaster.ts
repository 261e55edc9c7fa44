import { definedOf } from "../lib/collections.ts";
import { type Fields, fieldsOf, isFields, listOf, parseFields, stringOf } from "../lib/fields.ts";
import {
  type ImportedTask,
  type ImportedTasks,
  listIn,
  priorityOf,
  recordReader,
  statusOf,
  withText,
} from "./imported-task.ts";

/** Also what it had before, how hard a model thought it was, and of a step, whose it is. */
const IGNORED =
  "id previousStatus complexityScore complexity recommendedSubtasks parentId parentTaskId parentTask isSubtask";
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

function taskOf(task: Fields, listName: string): ImportedTask {
  const { text, list, day, lost } = recordReader(task, IGNORED);
  const named = (id: string) => (listName === MAIN ? id : `${listName}/${id}`);
  const own = idOf(task);
  const { status, tags } = statusOf(text("status"));
  const acceptance = text("acceptanceCriteria");
  const criteria = listIn(acceptance);
  const steps = list("subtasks").filter(isFields).map(stepOf);
  return {
    id: named(own),
    title: text("title"),
    objective: text("description"),
    status,
    priority: priorityOf(text("priority")),
    owner: text("assignee"),
    tags: [
      ...(listName === MAIN ? [] : [listName]),
      ...[...list("tags"), ...list("labels")].map(stringOf),
      ...tags,
    ],
    steps: steps.map(({ step }) => step),
    criteria: criteria ?? [],
    files: [],
    // A dependency on a step of another task is one on that task.
    dependencies: list("dependencies")
      .map((one) => String(one).split(".")[0] ?? "")
      .filter((one) => one !== own)
      .map(named),
    related: [],
    sections: withText({
      Details: text("details"),
      "Test strategy": text("testStrategy"),
      ...(criteria === undefined && { Acceptance: acceptance }),
      ...Object.fromEntries(steps.map(({ rest }, at) => [`Step ${at + 1}`, rest])),
    }),
    dates: definedOf({ created: day("createdAt"), updated: day("updatedAt") }),
    lost: [...lost(), ...steps.flatMap((step) => step.lost)],
  };
}

function idOf({ id }: Fields): string {
  return typeof id === "number" ? String(id) : stringOf(id);
}

/** A box, and what it does not say. */
function stepOf(subtask: Fields): { step: string; rest: string; lost: string[] } {
  const { text, list, lost } = recordReader(subtask, IGNORED);
  const status = text("status");
  const needed = list("dependencies").map(String).join(", ");
  const facts = [
    /^(?:pending|done|completed)?$/.test(status) ? "" : `Status: ${status}`,
    needed === "" ? "" : `Needs: ${needed}`,
  ];
  const parts = ["description", "details", "testStrategy", "acceptanceCriteria"].map((name) =>
    text(name).trim(),
  );
  return {
    step: `[${statusOf(status).status === "done" ? "x" : " "}] ${text("title") || text("description")}`,
    rest: [facts.filter(Boolean).join("; "), ...parts].filter(Boolean).join("\n\n"),
    lost: lost().map((name) => `subtasks.${name}`),
  };
}
