import { byUrgency, inWorkOrder, sortedBy } from "../../../notes/task/order.ts";
import { addDays, isDueSoon, WEEK } from "../../due.ts";
import type { Task } from "../../model.ts";
import { taskFinder } from "../../task-list.ts";

/** The tasks that matter today; a task may be in several groups. */
export interface Groups {
  /** Nothing goes on with them until a person decides: reviews and conflicts. */
  forYou: Task[];
  inProgress: Task[];
  blocked: Task[];
  /** Due before today, or within a week. */
  due: Task[];
  /** Done within a week. */
  done: Task[];
}

/** What a person has to decide. */
export function waitsForYou({ status, conflicts }: Task): boolean {
  return status === "review" || conflicts !== undefined;
}

/** `today` is YYYY-MM-DD. */
export function groupTasks(tasks: readonly Task[], today: string): Groups {
  const having = (wanted: string) => tasks.filter(({ status }) => status === wanted);
  const recent = addDays(today, -WEEK);
  const done = having("done").filter(({ updated }) => updated >= recent);
  return {
    forYou: byUrgency(tasks.filter(waitsForYou)),
    inProgress: byUrgency(having("in-progress")),
    blocked: byUrgency(having("blocked")),
    due: sortedBy(
      tasks.filter((task) => isDueSoon(task, today)),
      "due",
    ),
    done: inWorkOrder(done),
  };
}

/** What a task waits for: the task of each reference, or only the reference if the project has no such task. */
export function blockersOf(task: Task, tasks: readonly Task[]): { reference: string; task?: Task }[] {
  const find = taskFinder(tasks);
  return task.open_dependencies.map((reference) => {
    const found = find(reference);
    return found === undefined ? { reference } : { reference, task: found };
  });
}
