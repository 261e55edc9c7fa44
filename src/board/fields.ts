import { compareText } from "../core/lib/text.ts";
import { OWNER_SEPARATOR } from "../core/notes/task/claim.ts";
import { factsOfField, type NewFields, TASK_FIELDS, type TaskField } from "../core/notes/task/fields.ts";
import type { Task } from "./model.ts";

export function isTaskField(name: string): name is TaskField {
  return TASK_FIELDS.some((one) => one === name);
}

export function isList(field: TaskField): boolean {
  return factsOfField(field).kind === "list";
}

/** The value of a task as an input shows it; `""` for none. */
export function fieldText(task: NewFields, field: TaskField): string {
  const value = task[field];
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** `a, #b` as a list; each once. */
export function listOf(text: string): string[] {
  const items = text.split(/[,、，]/).map((item) => item.trim().replace(/^#/, ""));
  return [...new Set(items.filter((item) => item !== ""))];
}

/** The values to choose from, by their field: only those that tasks have already. */
export type Known = Readonly<Partial<Record<string, readonly string[]>>>;

export function knownValues(tasks: readonly Task[]): Known {
  const tags = new Set(tasks.flatMap((task) => task.tags));
  const owner = new Set(tasks.flatMap((task) => task.owner?.split(OWNER_SEPARATOR) ?? []));
  return { tags: [...tags].sort(compareText), owner: [...owner].sort(compareText) };
}
