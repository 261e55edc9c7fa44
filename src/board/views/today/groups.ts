import { compare } from "../../compare.ts";
import type { Task } from "../../model.ts";
import { taskNamed } from "../../task-list.ts";

/** The tasks that matter today; a task may be in several groups. */
export interface Groups {
  inProgress: Task[];
  blocked: Task[];
  /** Due before today, or within a week. */
  due: Task[];
  /** Done within a week. */
  done: Task[];
}

const WEEK = 7;
const MOST_DONE = 10;

/** `today` is YYYY-MM-DD. */
export function groupTasks(tasks: readonly Task[], today: string): Groups {
  const isOf = (status: string) => (task: Task) => task.status === status;
  const soon = addDays(today, WEEK);
  const recent = addDays(today, -WEEK);
  const isDue = ({ status, due }: Task) => status !== "done" && due !== undefined && due <= soon;
  return {
    inProgress: tasks.filter(isOf("in-progress")).sort(byUrgency),
    blocked: tasks.filter(isOf("blocked")).sort(byUrgency),
    due: tasks.filter(isDue).sort(byUrgency),
    done: tasks
      .filter(({ status, updated }) => status === "done" && updated.slice(0, 10) >= recent)
      .sort((a, b) => compare(b.updated, a.updated) || byPlace(a, b))
      .slice(0, MOST_DONE),
  };
}

const NEVER = "9999-12-31";
const PRIORITIES = ["high", "medium", undefined, "low"];

/** By due date, then priority, then project and number. */
function byUrgency(a: Task, b: Task): number {
  const rank = ({ priority }: Task) => PRIORITIES.indexOf(priority);
  return compare(a.due ?? NEVER, b.due ?? NEVER) || rank(a) - rank(b) || byPlace(a, b);
}

function byPlace(a: Task, b: Task): number {
  return compare(a.path, b.path);
}

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** What a task waits for: the task of each reference, or only the reference if the project has no such task. */
export function blockersOf(task: Task, tasks: readonly Task[]): { reference: string; task?: Task }[] {
  return task.open_dependencies.map((reference) => {
    const found = taskNamed(tasks, reference);
    return found === undefined ? { reference } : { reference, task: found };
  });
}
