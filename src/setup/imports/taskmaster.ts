import { definedOf } from "../../core/lib/collections.ts";
import { type Fields, fieldsOf, isFields, listOf, parseFields } from "../../core/lib/fields.ts";
import type { TaskStatus } from "../../core/notes/task/statuses.ts";
import {
  type Imported,
  type ImportedSection,
  type ImportedTask,
  type LeftOut,
  listed,
  priorityOf,
  recordReader,
  statusOf,
  textOf,
  withText,
} from "./imported-task.ts";

/** Also what it had before, how hard a model thought it was, and of a step, whose it is. */
const IGNORED =
  "id previousStatus complexityScore complexity recommendedSubtasks parentId parentTaskId parentTask isSubtask";
/** The list of tasks that Task Master starts with. */
const MAIN = "master";

/** The `tasks.json` of Task Master, with lists by name or the single list of older versions. */
export function taskmasterTasks({ path, text }: { path: string; text: string }): Imported {
  const file = parseFields(text);
  const leftOut: LeftOut[] = [];
  if (file === undefined) leftOut.push({ path, reason: "cut, or no list of tasks in JSON" });
  const tasks = Object.entries(file ?? {}).flatMap(([key, list]) => {
    const name = key === "tasks" ? MAIN : key;
    return (Array.isArray(list) ? list : listOf(fieldsOf(list)["tasks"])).flatMap((task: unknown, at) => {
      if (isFields(task) && (textOf(task["id"]) ?? "") !== "") return [taskOf(task, name)];
      leftOut.push({ path, place: `task ${at + 1} of ${name}`, reason: "a task without an id" });
      return [];
    });
  });
  return { tasks, documents: [], leftOut };
}

function taskOf(task: Fields, listName: string): ImportedTask {
  const { value, text, texts, list, day, rest } = recordReader(task, IGNORED);
  const named = (id: string) => (listName === MAIN ? id : `${listName}/${id}`);
  const own = textOf(task["id"]) ?? "";
  const { status, tags } = statusOf(text("status"));
  const { items, sections } = listed("Acceptance", text("acceptanceCriteria"));
  const steps = list("subtasks").flatMap(stepsOf);
  return {
    id: named(own),
    title: text("title") || text("description") || own,
    objective: text("description"),
    status,
    priority: value("priority", priorityOf),
    owner: texts("assignee").join(", "),
    tags: [...(listName === MAIN ? [] : [listName]), ...texts("tags"), ...texts("labels"), ...tags],
    steps: steps.map(({ step }) => step),
    criteria: items,
    files: [],
    // A dependency on a step of another task is one on that task.
    dependencies: texts("dependencies")
      .map((one) => one.split(".")[0] ?? "")
      .filter((one) => one !== own)
      .map(named),
    related: [],
    dates: definedOf({ created: day("createdAt"), updated: day("updatedAt") }),
    sections: [
      ...withText({ Details: text("details"), "Test strategy": text("testStrategy") }),
      ...sections,
      ...steps.flatMap((step, at) => withText({ [`Step ${at + 1}`]: step.text })),
      ...rest(),
    ],
  };
}

const MARKS: Partial<Record<TaskStatus, string>> = { done: "x", cancelled: "-" };

/** A box with what it does not say, then those of its own subtasks. */
function stepsOf(subtask: unknown): { step: string; text: string }[] {
  if (!isFields(subtask)) return (textOf(subtask) ?? "") === "" ? [] : [{ step: `[ ] ${subtask}`, text: "" }];
  const { text, texts, list, rest } = recordReader(subtask, IGNORED);
  const status = text("status");
  const needed = texts("dependencies").join(", ");
  const facts = [
    /^(?:pending|done|completed|cancelled)?$/.test(status) ? "" : `Status: ${status}`,
    needed === "" ? "" : `Needs: ${needed}`,
  ];
  const title = text("title") || text("description") || (textOf(subtask["id"]) ?? "Step");
  const parts = ["description", "details", "testStrategy", "acceptanceCriteria"].map((name) =>
    text(name).trim(),
  );
  const inner = list("subtasks").flatMap(stepsOf);
  const others = rest().map((section: ImportedSection) => section.text);
  return [
    {
      step: `[${MARKS[statusOf(status).status] ?? " "}] ${title}`,
      text: [facts.filter(Boolean).join("; "), ...parts, ...others].filter(Boolean).join("\n\n"),
    },
    ...inner,
  ];
}
